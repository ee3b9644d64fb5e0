// `jeeves recover`: what was stored, byte for byte, on stdout and nothing else there.
import { countLines, linesOf, splitLines } from "@jeeves/prune";
import { createDiskStore, StateError } from "@jeeves/state";
import { CliError } from "../cli-error.ts";
import type { LineRange } from "../option-values.ts";
import { recordRecovery } from "../record-call.ts";
import { tellStateFaults } from "../state-faults.ts";

export interface RecoverCommandOptions {
  readonly lines?: readonly LineRange[];
  readonly lineNumbers?: boolean;
}

export async function recoverCommand(id: string, options: RecoverCommandOptions): Promise<void> {
  tellStateFaults();
  const stored = await createDiskStore({ env: process.env })
    .get(id)
    .catch((error: unknown) => {
      throw error instanceof StateError ? new CliError(error.message, error.hint) : error;
    });
  if (stored === undefined) throw new CliError(`no stored text ${id}`, "it expired or never was; cut the text again");
  const text =
    options.lines === undefined && options.lineNumbers !== true ? stored.text : linesIn(stored.text, id, options);
  process.stdout.write(text);
  const lines = options.lines ?? [{ startLine: 1, endLine: countLines(stored.text) }];
  const what = `lines ${lines.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(", ")}`;
  await recordRecovery(process.env, { pruneId: id, text, what });
}

function linesIn(whole: string, id: string, options: RecoverCommandOptions): string {
  const table = splitLines(whole);
  const lineCount = countLines(whole);
  const ranges = options.lines ?? [{ startLine: 1, endLine: lineCount }];
  let text = "";
  for (const { startLine, endLine } of ranges) {
    if (startLine > lineCount) throw new CliError(`line ${startLine} is past the end`, `${id} has ${lineCount} lines`);
    const lines = linesOf(table, startLine, Math.min(endLine, lineCount)).split("\n");
    for (const [offset, line] of lines.entries()) {
      text += options.lineNumbers === true ? `${startLine + offset}│ ${line}\n` : `${line}\n`;
    }
  }
  // The last line of the text has the end that it had.
  const isOpen = (ranges.at(-1)?.endLine ?? 0) >= lineCount && !whole.endsWith("\n");
  return isOpen && options.lineNumbers !== true ? text.slice(0, -1) : text;
}
