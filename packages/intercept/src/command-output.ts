// A command's output for the model: as it is, or the cut that jeeves-exec prints instead.
import { clientOf, shownCharsOf } from "@jeeves/base";
import {
  type CutRequest,
  type Cutter,
  clientView,
  estimateTokens,
  type Meter,
  NO_REPEATS,
  type OutputClass,
  outlineFor,
  policyFor,
  type RecoveredBy,
  readMode,
  recoveredByOf,
  repeatsInMeter,
  toMeterInput,
  withLastLine,
} from "@jeeves/cut";
import { findProject } from "@jeeves/workspace/project";
import { type CommandClass, classOfCommand } from "./command-class.ts";
import { withoutPrefixes } from "./commands.ts";
import { readEarlierRuns } from "./focus/earlier-runs.ts";
import { focusOf, withoutDir } from "./focus/focus.ts";
import type { SessionTail } from "./focus/session-facts.ts";
import { tailOfSession } from "./focus/session-tail.ts";
import { storedIdIn } from "./stored/way-back.ts";

/** A command, what it printed, and the session that ran it. */
export interface CommandOutput {
  readonly command: string;
  /** All that it printed, or all so far. */
  readonly text: string;
  /** Undefined while the command still runs. */
  readonly exitCode: number | undefined;
  readonly client: string;
  readonly session: string;
  readonly project: string;
  readonly transcriptPath?: string;
  /** What the client sent about its session; used instead of a transcript. */
  readonly tail?: SessionTail;
  readonly signal: AbortSignal;
}

/** What a cut of a command's output needs. */
export interface CommandDeps {
  readonly cutter: Cutter;
  readonly meter: Meter;
  readonly env: NodeJS.ProcessEnv;
  /** How the agent gets the rest back; default: by the environment. */
  readonly recovery?: RecoveredBy | undefined;
  readonly nameStored?: CutRequest["nameStored"];
  readonly timeoutMs?: number;
}

/** Of a command that still runs, the last lines up to so many characters are always shown. */
const LAST_CHARS = 1_000;
/** Shorter texts are never cut, so nothing is looked up for them. */
const MIN_CHARS = 400;
/** For these classes, the same call again gets everything. Any other command that is run again is a new run. */
const ASKED_AGAIN: ReadonlySet<OutputClass> = new Set(["read", "read-range", "search"]);
/** Last lines that leave less than this share of the client's room are not worth a cut of the others. */
const MIN_ROOM_SHARE = 0.5;

/** What to print instead of the text; undefined: the text as it is. */
export async function cutCommandOutput(output: CommandOutput, deps: CommandDeps): Promise<string | undefined> {
  const { command, session, client, exitCode } = output;
  const { text, last } = exitCode === undefined ? withoutLastLines(output.text) : { text: output.text, last: "" };
  const thing = (exitCode ?? 0) === 0 ? "command" : "failedCommand";
  const traits = clientOf(client);
  const clientChars = shownCharsOf(traits, thing, deps.env);
  const maxChars = clientChars === undefined ? undefined : clientChars - last.length;
  if (maxChars !== undefined && maxChars < (clientChars ?? 0) * MIN_ROOM_SHARE) return undefined;
  if (text.length < MIN_CHARS) return undefined;
  const caller = { session, client, tool: "Bash", dir: output.project };
  const stored = storedIdIn(command);
  const { transcriptPath, tail: told } = output;
  const tail = await tailOfSession({ ...(told && { session: told }), ...(transcriptPath && { transcriptPath }) });
  const { contextTokens } = tail;
  if (stored !== undefined) {
    if ((await readMode(deps.env)) === "off") return undefined;
    const came = clientView(text, traits, thing, tail.model);
    const counted = { rawTokens: estimateTokens(came), pruneId: stored, contextTokens };
    await deps.meter.record(toMeterInput("recovered", { caller, what: command }, counted));
    return undefined;
  }
  // How far a command has come at its time limit differs from run to run, and so would its cut. So an output that the client
  // shows in full is not cut.
  if (exitCode === undefined && clientView(output.text, traits, thing, tail.model) === output.text) return undefined;
  const bare = withoutPrefixes(command);
  const about = classOfCommand(command);
  // The line numbers of a read are not part of the question.
  const asked = about.class === "read-range" ? (about.path ?? bare) : bare;
  const situation = { class: about.class, contextTokens };
  const result = await deps.cutter.cut({
    text,
    focus: focusOf([withoutDir(asked, output.project)], tail),
    policy: policyFor(situation, deps.env),
    situation,
    clientView: (shown) => clientView(shown, traits, thing, tail.model),
    outline: outlineFor(about.class, text),
    caller,
    args: command,
    what: command,
    command: bare,
    ...hintsOf(about, exitCode),
    room: { maxChars, keepsTail: true },
    tellsWeak: false,
    recovery: deps.recovery ?? recoveredByOf(deps.env),
    ...(deps.nameStored && { nameStored: deps.nameStored }),
    source: { tool: "Bash", label: command.slice(0, 200) },
    project: await findProject(output.project),
    idOptions: ({ kind, way }) => ({ exec: command, kind, way, exitCode, maxChars: maxChars ?? null }),
    ...earlierRunsOf(output, about),
    // This process lives for one command only: the history is in the meter.
    repeats: (history) =>
      ASKED_AGAIN.has(about.class) ? repeatsInMeter(history, { what: command, dir: output.project }) : NO_REPEATS,
    signal: output.signal,
    ...(deps.timeoutMs === undefined ? {} : { timeoutMs: deps.timeoutMs }),
  });
  const isWhole = result.kind === "whole";
  if (isWhole && result.notice === undefined) return undefined;
  const shown = withLastLine(isWhole ? text : (result.parts[0] ?? ""), isWhole ? result.notice : result.lastLine);
  return `${shown}\n${last}`;
}

/** a command that has ended is compared with its last run; one that only reads or searches is not. */
function earlierRunsOf(
  { command, project, transcriptPath, exitCode }: CommandOutput,
  about: CommandClass,
): Pick<CutRequest, "earlierRuns"> {
  const isRun = about.class === "test" || about.class === "run" || about.class === "other";
  if (transcriptPath === undefined || exitCode === undefined || !isRun) return {};
  return { earlierRuns: () => readEarlierRuns(transcriptPath, { command, dir: project }) };
}

/** What the command shows about its output: a name from which the language is guessed, or that it is a log. */
function hintsOf(
  { class: found, path }: CommandClass,
  exitCode: number | undefined,
): Pick<CutRequest, "kind" | "path"> {
  if (path !== undefined) return { path };
  const isFailedRun = (found === "run" || found === "test") && (exitCode ?? 0) !== 0;
  return isFailedRun ? { kind: "logs" } : {};
}

/** Splits off the last lines: always the unfinished line and the one above it, and more while they are short. */
function withoutLastLines(text: string): { readonly text: string; readonly last: string } {
  const startAbove = (at: number) => (at < 2 ? 0 : text.lastIndexOf("\n", at - 2) + 1);
  let at = startAbove(text.lastIndexOf("\n") + 1);
  for (let next = startAbove(at); next < at && text.length - next <= LAST_CHARS; next = startAbove(at)) at = next;
  return { text: text.slice(0, at), last: text.slice(at) };
}
