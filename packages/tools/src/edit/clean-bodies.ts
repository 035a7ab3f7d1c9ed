// Bodies that were pasted from a page that Read had shown.
import { cleanPages } from "../clean-pages.ts";
import type { ToolEnv } from "../tool.ts";
import type { Op } from "./ops.ts";

export interface CleanedOps {
  readonly ops: readonly Op[];
  readonly cleaned: boolean;
}

export async function cleanBodies(ops: readonly Op[], env: ToolEnv): Promise<CleanedOps> {
  const bodies = ops.map((op) => (op.kind === "put" ? op.body.join("\n") : ""));
  const pages = await cleanPages(bodies, env);
  const clean = (op: Op, index: number): Op => {
    const page = pages[index];
    return op.kind === "put" && page?.cleaned ? { ...op, body: page.text.split("\n") } : op;
  };
  return { ops: ops.map(clean), cleaned: pages.some((page) => page.cleaned) };
}
