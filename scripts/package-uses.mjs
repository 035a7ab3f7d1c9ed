// What a stranger does with each package alone: a few lines that are plain ESM and strict TypeScript at once, with what
// they print; and how large the packed package may be (a quarter more than it was when the number was set).
export const PACKAGE_USES = {
  limits: {
    needs: [],
    maxKilobytes: 50,
    code: `import { truncate } from "@spillway/limits";
const { body, truncated } = truncate("a\\nb\\nc", { maxBytes: 100, maxLines: 1, keep: "head" });
console.log(body, truncated);`,
    prints: "a true",
  },
  tools: {
    needs: ["limits"],
    maxKilobytes: 650,
    code: `import { createToolbox, renderForModel } from "@spillway/tools";
import { parseOps } from "@spillway/tools/edit";
const box = await createToolbox({ root: process.cwd() });
const read = await box.call("Read", { path: "package.json" });
const grep = await box.call("Grep", { pattern: "outside", outputMode: "count" });
const bash = await box.call("Bash", { command: "printf from-bash" });
const [tokens] = await box.countTokens(["hello world"]);
await box.close({ remove: true });
console.log(renderForModel(read).includes('"outside"'), grep.ok, bash.ok && bash.tool === "Bash" && "stdout" in bash.result && bash.result.stdout, tokens, typeof parseOps);`,
    prints: "true true from-bash 2 function",
  },
  checkpoint: {
    needs: ["limits"],
    maxKilobytes: 120,
    code: `import { checkPairing, contextBudget, repairPairing } from "@spillway/checkpoint";
import { checkPairing as checkAnthropic } from "@spillway/checkpoint/anthropic";
const repaired = repairPairing([
  { role: "user", content: "go" },
  { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1", toolName: "Read", input: {} }] },
]);
console.log(repaired.length, checkPairing(repaired).length, checkAnthropic([]).length, contextBudget({ contextWindow: 100_000 }).hardLimit);`,
    prints: "3 0 0 83616",
  },
  host: {
    needs: ["limits", "tools", "checkpoint"],
    maxKilobytes: 530,
    code: `import { createAgent, demoModel } from "@spillway/host";
const agent = await createAgent({ model: demoModel(), root: process.cwd(), dataDir: \`\${process.cwd()}/.spillway\` });
const { reason } = await agent.run("Look around").result;
await agent.close();
console.log(reason);`,
    prints: "stop",
  },
};
