// Reads the JSON report of vitest: `counts FILE` prints "passed failed", `failures FILE` prints each failed test with its
// messages, and each that passed only when it was run again. A file that could not be loaded counts as one failed test; a report that is missing or broken is an error.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const MAX_MESSAGE_LINES = 30;
const [what, file] = process.argv.slice(2);
const report = JSON.parse(readFileSync(file, "utf8"));
const brokenFiles = report.testResults.filter(
  (result) => result.status === "failed" && result.assertionResults.every(passes),
);

if (what === "counts") console.log(report.numPassedTests, report.numFailedTests + brokenFiles.length);
else if (what === "failures") printFailures();
else throw new RangeError(`"${what}" is no report: use counts or failures`);

function printFailures() {
  for (const result of report.testResults) {
    const name = relative(process.cwd(), result.name);
    if (brokenFiles.includes(result)) console.log(`\n== FAILED ${name}\n${head(result.message)}`);
    for (const test of result.assertionResults.filter((assertion) => assertion.failureMessages.length > 0)) {
      const verdict = passes(test) ? "PASSED ONLY WHEN RUN AGAIN" : "FAILED";
      console.log(`\n== ${verdict} ${name} > ${test.fullName}\n${head(test.failureMessages.join("\n"))}`);
    }
  }
}

function passes(assertion) {
  return assertion.status !== "failed";
}

function head(text) {
  return text.split("\n").slice(0, MAX_MESSAGE_LINES).join("\n");
}
