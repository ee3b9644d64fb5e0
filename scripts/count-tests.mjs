// Adds up vitest's JSON reports into the closing line `N passed, N failed, N skipped`.
import { readFileSync } from "node:fs";

const total = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  if (report.ranTwice !== undefined)
    process.stdout.write(`Passed at the second run only: ${report.ranTwice.join(", ")}\n`);
  for (const { assertionResults } of report.testResults)
    for (const { status } of assertionResults) total[status === "passed" || status === "failed" ? status : "skipped"]++;
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
