// Compares an answer with its files: every reference exists, and every quoted line is in its place.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What is untrue in a report; empty when everything holds. */
export function untrue(report, root) {
  const wrong = [];
  const roles = ["locator", "analyzer", "patterns"].flatMap((role) =>
    report[role]?.value ? [report[role].value] : [],
  );
  for (const { references, key_findings: findings } of [...roles, report.synthesis]) {
    for (const reference of references) if (lineOf(root, reference) === undefined) wrong.push(reference);
    for (const finding of findings) {
      const m = /^(?:calls |called from )?(\S+?:\d+)(?: (?:[^:]|:(?! ))*)?: (.+)$/.exec(finding);
      if (m === null) continue;
      const line = lineOf(root, m[1]);
      const quote = m[2].endsWith("…") ? m[2].slice(0, -1) : m[2];
      const isRedacted = quote.includes("[redacted]");
      if (line === undefined || (!isRedacted && !line.includes(quote))) wrong.push(finding);
    }
  }
  return wrong;
}

function lineOf(root, reference) {
  const [, path, line] = /^(.+?)(?::(\d+))?$/.exec(reference);
  const file = join(root, path);
  if (!existsSync(file) || !statSync(file).isFile()) return undefined;
  return line === undefined ? "" : readFileSync(file, "utf8").split("\n")[Number(line) - 1];
}
