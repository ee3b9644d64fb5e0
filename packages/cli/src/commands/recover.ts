// `jeeves recover`: prints stored text byte for byte on stdout, and nothing else.
import { createMeter, type LineRange, type Recovered, recover } from "@jeeves/cut";
import { isPruneId, openRecoveryStore } from "@jeeves/state";
import { callerOf } from "../by-hand.ts";
import { CliError } from "../cli-error.ts";
import type { CharRange } from "../terminal/option-values.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";

interface RecoverCommandOptions {
  readonly lines?: readonly LineRange[];
  readonly chars?: readonly CharRange[];
  readonly lineNumbers?: boolean;
}

/** Prints the stored text, or the lines or characters asked for. Throws CliError for an unknown id or range. */
export async function recoverCommand(id: string, options: RecoverCommandOptions): Promise<void> {
  tellStateFaults();
  const { env } = process;
  const { lines: ranges, chars, lineNumbers = false } = options;
  if (chars !== undefined && (ranges !== undefined || lineNumbers))
    throw new CliError("--chars goes without --lines and --line-numbers", "ask for one of them");
  const caller = callerOf("recover", env);
  const deps = { store: openRecoveryStore({ env }), meter: createMeter(env) };
  const found = await recover({ pruneId: id, ranges, chars, lineNumbers, caller }, deps);
  if (found.kind !== "recovered") throw refusalOf(id, found, chars !== undefined);
  // Characters are exactly those, with no line end of ours.
  const isWhole = chars !== undefined || (ranges === undefined && !lineNumbers);
  process.stdout.write(isWhole ? found.text : withLineEnd(found, lineNumbers));
}

/** the last line of a text has the end that it had; every other line that is printed has one. */
function withLineEnd({ text, ranges, table }: Extract<Recovered, { kind: "recovered" }>, lineNumbers: boolean): string {
  const last = ranges.at(-1)?.endLine ?? 0;
  if (last === 0) return text; // of an empty text
  const isOpen = last >= table.count && !table.text.endsWith("\n");
  return isOpen && !lineNumbers ? text : `${text}\n`;
}

function refusalOf(id: string, found: Exclude<Recovered, { kind: "recovered" }>, isChars: boolean): CliError {
  switch (found.kind) {
    case "unavailable":
      return new CliError(found.error.message, found.error.hint);
    case "invalid_range": {
      const { fault, lineCount, charCount } = found;
      const unit = isChars ? "character" : "line";
      const words =
        "range" in fault ? `${unit} ${fault.range.startLine} is past the end` : `these ${unit}s cannot be had`;
      return new CliError(words, isChars ? `${id} has ${charCount} characters` : `${id} has ${lineCount} lines`);
    }
    default:
      return isPruneId(id)
        ? new CliError(`no stored text ${id}`, "it has expired, or was stored elsewhere; cut the text again")
        : new CliError(
            `${JSON.stringify(id)} is no id of a stored text`,
            "an id is prn_ and twelve of a-z and 2-7, such as prn_abcdefghijkl: the last line of a cut names it",
          );
  }
}
