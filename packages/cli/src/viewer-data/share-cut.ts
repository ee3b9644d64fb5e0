// A cut as Markdown that can be shown to others: the question, the sizes and the text as the agent saw it, through the
// one redaction gate.
import { homeOf } from "@jeeves/base";
import { lineAt } from "@jeeves/cut";
import type { LineTable } from "@jeeves/prune";
import type { CutView } from "@jeeves/viewer";

const MAX_LINES = 5_000;

/** Secrets are redacted, and the home directory is written as `~`. */
export async function toSharedCut(cut: CutView, table: LineTable, env: NodeJS.ProcessEnv): Promise<string> {
  const { createRedactor } = await import("@jeeves/workspace/redact");
  const redact = await createRedactor();
  const home = homeOf(env);
  const text = redact(keptText(cut, table));
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  const about = [
    `# ${redact(cut.path ?? cut.pruneId)}`,
    "",
    ...(cut.focus === undefined ? [] : [`Question: ${redact(cut.focus)}`, ""]),
    `${cut.keptTokens} of ${cut.rawTokens} tokens shown${cut.tool === undefined ? "" : ` by ${cut.tool}`}. Cut by Jeeves.`,
  ].join("\n");
  const whole = `${about}\n\n${fence}\n${text}\n${fence}\n`;
  return home === "/" ? whole : whole.replaceAll(home, "~");
}

function keptText({ blocks = [], lineCount }: CutView, table: LineTable): string {
  const lines: string[] = [];
  let line = 1;
  const keepTo = (end: number) => {
    for (; line < end; line++) lines.push(lineAt(table, line - 1));
  };
  for (const { from, to, label } of blocks) {
    keepTo(from);
    lines.push(`⟦… ${to - from + 1} lines ${from}-${to}${label === undefined ? "" : `: ${label}`}⟧`);
    line = to + 1;
  }
  keepTo(lineCount + 1);
  const more = lines.length - MAX_LINES;
  return more > 0 ? [...lines.slice(0, MAX_LINES), `[${more} more lines]`].join("\n") : lines.join("\n");
}
