// the last line of a cut answer, which names the cheapest way to the rest. A file is simply read again by line numbers;
// everything else, and a file that may have changed since, comes back by its id: from recover_text, or, where the client's
// own Read may open stored texts, from the stored file. That Read needs no tool of ours in the prompt.
import { relative, sep } from "node:path";
import { homeOf, PRUNE_ID_PATTERN } from "@jeeves/base";

/** What brings the rest back: our tool, or the client's own Read of the stored file. */
export type RecoveredBy = "tool" | "file";

interface RecoveryHint {
  readonly pruneId: string;
  readonly isWholeFile: boolean;
  /** Whether the focus was found; where it hardly was, the model should know before it trusts the cut. */
  readonly isWeak: boolean;
  /** The stored file, where the client's own Read is the way back. */
  readonly file?: string;
  /** Something was cut out of a line: a Read by lines does not bring that back. */
  readonly hasChars?: boolean;
}

const LINE = `\\[(?:weak match; )?rest: [^\\n]*\\b(${PRUNE_ID_PATTERN})(?:\\.txt by lines)?\\]`;
const LAST_LINE = new RegExp(`${LINE}\\s*$`);
const ANY_LINE = new RegExp(`^${LINE}$`, "gm");
/** Characters at the end of a text in which its last line is looked for: a path may be long. */
const LAST_LINE_CHARS = 4_500;

/** The last line of a cut: at most 25 tokens, without the stored file's directory and the command for characters. */
export function recoveryLine(hint: RecoveryHint): string {
  return `[${hint.isWeak ? "weak match; " : ""}rest: ${wayTo(hint)}]`;
}

/** A command that prints characters A to B of a file, as markers count them: every machine that runs us has node. */
const PRINT_CHARS = `node -p 'fs.readFileSync(0,"utf8").slice(A-1,B)' <`;

function wayTo({ pruneId, isWholeFile, isWeak, file, hasChars = false }: RecoveryHint): string {
  if (file !== undefined && hasChars) return `chars A-B: ${PRINT_CHARS}${file}; Read ${file} by lines`;
  if (file !== undefined) return isWholeFile ? `Read by lines; ${pruneId}` : `Read ${file} by lines`;
  return `${isWholeFile && !isWeak ? "read by lines or " : ""}recover_text ${pruneId}`;
}

/** Whether a text ends in a recovery line, so that it was cut before. */
export function hasRecoveryLine(text: string): boolean {
  return LAST_LINE.test(text.slice(-LAST_LINE_CHARS));
}

/** All recovery lines of a text. */
export function recoveryLinesIn(text: string): string[] {
  return text.match(ANY_LINE) ?? [];
}

/** The id in the last recovery line of a text; undefined where it has none. */
export function cutIdIn(text: string): string | undefined {
  return [...text.matchAll(ANY_LINE)].at(-1)?.[1];
}

/** How a client's commands recover, by JEEVES_RECOVERY, which `jeeves init` sets: "file", by default our tool. */
export function recoveredByOf(env: NodeJS.ProcessEnv): RecoveredBy {
  return env.JEEVES_RECOVERY?.trim().toLowerCase() === "file" ? "file" : "tool";
}

/** A path as a client's Read and a shell understand it, with `~` for the home directory. */
export function toShortPath(path: string, env: NodeJS.ProcessEnv): string {
  const below = relative(homeOf(env), path);
  return below === "" || below.startsWith("..") || below.startsWith(sep) ? path : `~/${below}`;
}
