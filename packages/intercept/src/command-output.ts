// What a command printed, on its way to the model: raw, or what jeeves-exec prints instead after the part that it had
// passed on already. The same gates, the same store and the same meter as every other cut.
import { StringDecoder } from "node:string_decoder";
import { estimateTokens, type SourceKind } from "@jeeves/prune";
import { findProject } from "@jeeves/workspace/project";
import { withoutPrefixes } from "./commands.ts";
import { type CutDeps, cutText } from "./cut-text.ts";
import { deriveFocus } from "./focus.ts";
import { isDiff, isTooSmall } from "./gates.ts";
import { MAX_WORDS_CHARS, type Meter, type MeterEntry, type MeterKind } from "./meter.ts";
import { readMode } from "./mode.ts";
import { recoveryLine } from "./recovery-line.ts";
import { readSearch } from "./search/read-search.ts";
import { parseSearchCommand } from "./search/search-command.ts";
import { fitToClient, RESERVED_CHARS } from "./shown.ts";
import { generosityOf, hasStopped, STOPPED_LINE, trustOf } from "./trust.ts";
import { storedIdIn } from "./way-back.ts";

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

export interface CommandDeps extends CutDeps {
  readonly meter: Meter;
  readonly env: NodeJS.ProcessEnv;
  readonly now?: () => number;
}

const REPEAT_WINDOW_MS = 10 * 60_000;
/** A line that was passed on in part is kept whole; where it is this long, nothing is gained by cutting around it. */
const MAX_SPLIT_LINE_CHARS = 2_000;

/** undefined: the text goes through as it is. */
export async function cutCommandOutput(output: CommandOutput, deps: CommandDeps): Promise<CommandCut | undefined> {
  const { text, passedOnBytes, command, session } = output;
  if (isTooSmall(text) || isDiff(text)) return undefined;
  const passedOn = Buffer.from(text, "utf8").subarray(0, passedOnBytes);
  const passedOnChars = new StringDecoder("utf8").write(passedOn).length;
  const headLines = text.slice(0, passedOnChars).split("\n").length;
  const lineEnd = text.indexOf("\n", passedOnChars);
  if ((lineEnd < 0 ? text.length : lineEnd) - passedOnChars > MAX_SPLIT_LINE_CHARS) return undefined;
  const mode = await readMode(deps.env);
  if (mode === "off") return undefined;
  const stored = storedIdIn(command);
  if (stored !== undefined) {
    const rawTokens = estimateTokens(text);
    const told = { raw_tokens: rawTokens, kept_tokens: rawTokens, prune_id: stored };
    await deps.meter.record({ ...toEntry("recovered", output), ...told });
    return undefined;
  }
  const history = await deps.meter.entriesOf(session);
  const trust = trustOf(history);
  if (trust === "none") return mode === "shadow" || hasStopped(history) ? undefined : sayStopped(output, deps);

  const searched = parseSearchCommand(command);
  if (searched !== undefined && wasSearched(output, history, deps)) {
    const rawTokens = estimateTokens(text);
    await deps.meter.record({ ...toEntry("repeated", output), raw_tokens: rawTokens, kept_tokens: rawTokens });
    return undefined;
  }
  const started = performance.now();
  const bare = withoutPrefixes(command);
  const focus = await deriveFocus([bare], output.transcriptPath);
  const maxChars = maxCharsOf(output, deps.env);
  const search = searched && readSearch(text, { ...searched, focus, searched: bare });
  const shape = search === undefined ? shapeOf(output) : ({ kind: "matches" } as const);
  // A search counts its first lines among those that it shows.
  const shownChars = search === undefined ? passedOnChars : 0;
  const room = maxChars === undefined ? undefined : Math.max(1, maxChars - shownChars - RESERVED_CHARS);
  const outcome = await cutText(
    {
      text,
      focus,
      headLines,
      generosity: generosityOf(trust),
      ...shape,
      ...(room === undefined ? {} : { maxChars: room }),
      ...(search === undefined ? {} : { search }),
      options: (kind) => ({ exec: command, kind, trust, exitCode: output.exitCode, maxChars: maxChars ?? null }),
      source: { tool: "Bash", label: command.slice(0, 200) },
      project: await findProject(output.project),
      signal: output.signal,
    },
    deps,
  );
  if (outcome.kind === "raw") return undefined;
  const { pruned, pruneId, rawTokens, list } = outcome;
  const fitted =
    list === undefined
      ? fitToClient({ text, parts: [text] }, pruned, { maxChars, keepsTail: true, headLines })
      : undefined;
  const kept = fitted?.parts[0] ?? outcome.kept;
  const lastLine = recoveryLine({ pruneId, isWholeFile: false, isWeak: false });
  const shown = `${kept}${kept.endsWith("\n") ? "" : "\n"}${lastLine}\n`;
  const ms = Math.round(performance.now() - started);
  const record = (kind: MeterKind) =>
    deps.meter.record({
      ...toEntry(kind, output),
      raw_tokens: rawTokens,
      kept_tokens: kind === "repeated" ? rawTokens : estimateTokens(shown),
      prune_id: pruneId,
      focus,
      ms,
    });
  const isRepeat = recentCuts(history, deps).some((entry) => entry.prune_id === pruneId);
  await record(isRepeat ? "repeated" : mode === "shadow" ? "shadow" : "cut");
  if (isRepeat || mode === "shadow") return undefined;
  // The head is kept line by line, so that what was passed on is exactly how the shown text begins.
  const shownBytes = Buffer.from(shown, "utf8");
  if (!shownBytes.subarray(0, passedOnBytes).equals(passedOn)) return undefined;
  return { rest: shownBytes.subarray(passedOnBytes) };
}

function recentCuts(history: readonly MeterEntry[], { now = Date.now }: CommandDeps): MeterEntry[] {
  const since = now() - REPEAT_WINDOW_MS;
  return history.filter(({ kind, ts }) => kind === "cut" && Date.parse(ts) > since);
}

/** a search is recognised by its call, because the order of its matches differs from call to call. */
function wasSearched({ command, project }: CommandOutput, history: readonly MeterEntry[], deps: CommandDeps): boolean {
  const what = command.slice(0, MAX_WORDS_CHARS);
  return recentCuts(history, deps).some(
    (entry) => entry.tool === "Bash" && entry.what === what && entry.project === project,
  );
}

/** the text is whole, and one line below it says that it will be from now on. */
async function sayStopped(output: CommandOutput, deps: CommandDeps): Promise<CommandCut> {
  await deps.meter.record(toEntry("stopped", output));
  const gap = output.text.endsWith("\n") ? "" : "\n";
  const rest = Buffer.from(output.text, "utf8").subarray(output.passedOnBytes);
  return { rest: Buffer.concat([rest, Buffer.from(`${gap}${STOPPED_LINE}\n`, "utf8")]) };
}

function toEntry(kind: MeterKind, { session, client, project, command }: CommandOutput) {
  return { kind, session, client, tool: "Bash", project, raw_tokens: 0, kept_tokens: 0, what: command };
}

function shapeOf(output: CommandOutput): { readonly kind?: SourceKind; readonly path?: string } {
  const command = withoutPrefixes(output.command);
  // The numbers of `cat -n` and `nl` are no part of what is ranked; the engine knows them.
  const cat = /^(?:cat|nl)\s+(?:-[a-zA-Z]+\s+)*(?:'([^']+)'|"([^"]+)"|([^\s;|&<>'"]+))\s*$/.exec(command);
  const path = cat?.[1] ?? cat?.[2] ?? cat?.[3];
  if (path !== undefined) return { path };
  return output.exitCode === 0 && /^(?:cat|nl|git)\b/.test(command) ? {} : { kind: "logs" };
}

/** what each client shows of a command, and what Claude Code shows of one that failed. */
function maxCharsOf({ client, exitCode }: CommandOutput, env: NodeJS.ProcessEnv): number | undefined {
  const named = Number(env.JEEVES_MAX_RESULT_CHARS?.trim() || Number.NaN);
  const own = /^codex/.test(client)
    ? 10_000
    : /^claude-code/.test(client)
      ? exitCode === 0
        ? 30_000
        : 10_000
      : undefined;
  const limit = Number.isSafeInteger(named) && named > 0 ? named : own;
  return limit === undefined ? undefined : Math.floor(limit * 0.9);
}
