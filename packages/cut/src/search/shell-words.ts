// Splits a shell command into pipelines, and those into programs with their words. It knows only quotes and redirections:
// a word with a variable or a command in it stays as it is written.

/** One program of a pipeline, with its words. */
export interface ShellCommand {
  /** The program's name without its directory; `git` for every command of git. */
  readonly program: string;
  /** Without quotes and redirections. */
  readonly words: readonly string[];
}

const TOKEN =
  /(\d*(?:&>>?|>>?|<)\s*(?:&\d|&-|[^\s|;&<>]+))|(\|&|\|\||&&|[|;&\n])|((?:[^\s'"\\|;&<>]|\\[\s\S]|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?)+)|\s|[\s\S]/g;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * Splits at `;`, `&`, `&&`, `||` and line ends into pipelines, and those at `|`; variables before a program are dropped.
 */
export function splitPipelines(command: string): ShellCommand[][] {
  const pipelines: string[][][] = [[[]]];
  for (const [, , operator, word] of command.matchAll(TOKEN)) {
    const pipeline = pipelines.at(-1) ?? [];
    if (word !== undefined) pipeline.at(-1)?.push(word);
    else if (operator === "|" || operator === "|&") pipeline.push([]);
    else if (operator !== undefined) pipelines.push([[]]);
  }
  return pipelines
    .map((pipeline) => pipeline.map(toCommand).filter((found) => found !== undefined))
    .filter((pipeline) => pipeline.length > 0);
}

function toCommand(written: readonly string[]): ShellCommand | undefined {
  let from = 0;
  for (; from < written.length; from++) {
    const word = written[from] ?? "";
    if (word === "timeout") from++;
    else if (!ASSIGNMENT.test(word) && !/^(?:command|time|env|sudo|exec)$/.test(word)) break;
  }
  const [program, ...words] = written.slice(from).map(unquoted);
  return program === undefined ? undefined : { program: program.replace(/^.*\//, ""), words };
}

function unquoted(word: string): string {
  return word.replace(/'([^']*)'?|"((?:[^"\\]|\\[\s\S])*)"?|\\([\s\S])/g, (_, single, double, escaped) =>
    double === undefined ? (single ?? escaped) : double.replace(/\\(["\\$`])/g, "$1"),
  );
}
