// `jeeves research`: a question about a code base, answered on the terminal. The answer is on stdout; progress is one
// line on stderr, where that is a terminal.
import { createResearcher, loadSettings, ResearchError, type ResearchReport } from "@jeeves/research";
import { CliError } from "../cli-error.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { progressLine } from "../terminal/progress-line.ts";

interface ResearchCommandOptions {
  readonly root?: readonly string[];
  readonly config?: string;
  readonly json?: boolean;
}

/** Prints the answer, with `json` the report. Throws CliError where nothing can be searched or the search fails. */
export async function researchCommand(question: string, options: ResearchCommandOptions): Promise<void> {
  const { env } = process;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  const tell = progressLine(process.stderr);
  try {
    const settings = loadSettings({ env, cwd: process.cwd(), roots: options.root ?? [], file: options.config });
    const researcher = createResearcher({ settings, env });
    const { roots } = researcher.choose(undefined);
    if (roots.length === 0) throw new CliError("no directory to search", "name one with --root DIR");
    const report = await researcher.research({
      question,
      roots,
      constraints: {},
      signal: stop.signal,
      onProgress: ({ progress, total, message }) => tell(`${progress}/${total} ${message}`),
    });
    tell("");
    process.stdout.write(
      options.json === true ? `${JSON.stringify(report)}\n` : toText(report, createPaint(process.stdout, env)),
    );
    if (report.locator.status !== "ok")
      throw new CliError(`the search ended with ${report.locator.status}`, report.locator.error.message);
    await researcher.close();
  } catch (error) {
    tell("");
    if (error instanceof ResearchError) throw new CliError(error.message, error.hint);
    throw error;
  } finally {
    process.off("SIGINT", onSignal);
  }
}

/** The answer, the code with its numbers, then where else to look. */
function toText({ synthesis, evidence, analyzer, locator }: ResearchReport, paint: Paint): string {
  const findings = analyzer?.status === "ok" ? analyzer.value.key_findings : [];
  const references = locator.status === "ok" ? locator.value.references : [];
  const sure = { high: "green", med: "yellow", low: "red" } as const;
  return [
    `${paint("bold", synthesis.summary)} ${paint(sure[synthesis.confidence], `(${synthesis.confidence})`)}`,
    ...evidence.flatMap(({ reference, text }) => ["", paint("cyan", reference), ...codeLines(text, paint)]),
    ...(findings.length === 0 ? [] : ["", ...findings.map((finding) => `  ${finding}`)]),
    ...synthesis.key_findings.map((finding) => `  ${finding}`),
    ...(references.length === 0 ? [] : ["", paint("dim", evidence.length === 0 ? "where:" : "see also:")]),
    ...references.map((reference) => `  ${paint("cyan", reference)}`),
    ...(synthesis.notes === null ? [] : ["", paint("dim", synthesis.notes)]),
    "",
  ].join("\n");
}

const GUTTER = 6;

/** Line numbers in a column of their own; comments and gaps are dim. */
function codeLines(text: string, paint: Paint): string[] {
  return text.split("\n").map((line) => {
    const [, number, code] = /^(\d+) (.*)$/.exec(line) ?? [];
    if (number === undefined || code === undefined) return paint("dim", `${"⋮".padStart(GUTTER)}`);
    const isComment = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif|pragma)|--|""")/.test(code);
    return `${paint("dim", number.padStart(GUTTER))}  ${isComment ? paint("dim", code) : code}`;
  });
}
