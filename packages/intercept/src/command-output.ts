// What a command printed, on its way to the model: raw, or what jeeves-exec prints instead, after the part that it had
// passed on already.
import { clientOf, shownCharsOf } from "@jeeves/base";
import {
  type Cutter,
  constantPolicy,
  estimateTokens,
  type Meter,
  readMode,
  repeatsInMeter,
  toMeterInput,
  withLastLine,
} from "@jeeves/cut";
import type { SourceKind } from "@jeeves/prune";
import { findProject } from "@jeeves/workspace/project";
import { withoutPrefixes } from "./commands.ts";
import { deriveFocus } from "./focus/focus.ts";
import { readPassedOn } from "./passed-on.ts";
import { storedIdIn } from "./stored/way-back.ts";

export interface CommandOutput {
  readonly command: string;
  readonly text: string;
  /** Bytes at the start of the text that were passed on before; they may end inside a character. */
  readonly passedOnBytes: number;
  readonly exitCode: number;
  readonly client: string;
  readonly session: string;
  readonly project: string;
  readonly transcriptPath?: string;
  readonly signal: AbortSignal;
}

export interface CommandCut {
  /** What is still to be printed: the text without what was passed on. */
  readonly rest: Buffer;
}

export interface CommandDeps {
  readonly cutter: Cutter;
  readonly meter: Meter;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

/** undefined: the text goes through as it is. */
export async function cutCommandOutput(output: CommandOutput, deps: CommandDeps): Promise<CommandCut | undefined> {
  const { text, passedOnBytes, command, session, client, exitCode } = output;
  if (constantPolicy.gate({ text }) !== undefined) return undefined;
  const caller = { session, client, tool: "Bash", dir: output.project };
  const stored = storedIdIn(command);
  if (stored !== undefined) {
    if ((await readMode(deps.env)) === "off") return undefined;
    const counted = { rawTokens: estimateTokens(text), pruneId: stored };
    await deps.meter.record(toMeterInput("recovered", { caller, what: command }, counted));
    return undefined;
  }
  const bare = withoutPrefixes(command);
  const maxChars = shownCharsOf(clientOf(client), exitCode === 0 ? "command" : "failedCommand", deps.env);
  const result = await deps.cutter.cut({
    text,
    focus: () => deriveFocus([bare], output.transcriptPath),
    policy: constantPolicy,
    caller,
    args: command,
    what: command,
    command: bare,
    ...shapeOf(bare, exitCode),
    room: { maxChars, ...readPassedOn(text, passedOnBytes, maxChars), keepsTail: true },
    tellsWeak: false,
    source: { tool: "Bash", label: command.slice(0, 200) },
    project: await findProject(output.project),
    idOptions: ({ kind, trust }) => ({ exec: command, kind, trust, exitCode, maxChars: maxChars ?? null }),
    // This process lives for one command: the meter remembers.
    repeats: (history) => repeatsInMeter(history, { what: command, dir: output.project }),
    signal: output.signal,
    ...(deps.timeoutMs === undefined ? {} : { timeoutMs: deps.timeoutMs }),
  });
  const isWhole = result.kind === "whole";
  if (isWhole && result.notice === undefined) return undefined;
  const shown = `${withLastLine(isWhole ? text : (result.parts[0] ?? ""), isWhole ? result.notice : result.lastLine)}\n`;
  const shownBytes = Buffer.from(shown, "utf8");
  // The head is kept, so that what was passed on is exactly how the shown text begins.
  const passedOn = Buffer.from(text, "utf8").subarray(0, passedOnBytes);
  if (!shownBytes.subarray(0, passedOnBytes).equals(passedOn)) return undefined;
  return { rest: shownBytes.subarray(passedOnBytes) };
}

function shapeOf(command: string, exitCode: number): { readonly kind?: SourceKind; readonly path?: string } {
  // The numbers of `cat -n` and `nl` are no part of what is ranked; the engine knows them.
  const cat = /^(?:cat|nl)\s+(?:-[a-zA-Z]+\s+)*(?:'([^']+)'|"([^"]+)"|([^\s;|&<>'"]+))\s*$/.exec(command);
  const path = cat?.[1] ?? cat?.[2] ?? cat?.[3];
  if (path !== undefined) return { path };
  return exitCode === 0 && /^(?:cat|nl|git)\b/.test(command) ? {} : { kind: "logs" };
}
