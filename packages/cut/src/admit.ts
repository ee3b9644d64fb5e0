// Whether a call may be cut now: by the mode, by what the session's cuts were worth so far, and unless it repeats an
// earlier call. Orders are always admitted.
import type { CutRequest, WholeReason } from "./cut-request.ts";
import type { Meter, MeterEntry } from "./meter/meter.ts";
import { toMeterInput } from "./meter/meter-input.ts";
import { type Mode, readMode } from "./meter/mode.ts";
import type { Repeats } from "./policy/repeats.ts";
import { hasLost, hasStopped, STOPPED_LINE } from "./policy/session-net.ts";
import { isSearch } from "./search/find-search.ts";
import { wholeTokensOf } from "./show/whole-tokens.ts";

/** A call that may be cut, with the mode and the memory of repeats for it. */
export interface Admitted {
  readonly mode: Mode;
  readonly repeats: Repeats;
}

/** A call that is not cut, why, and what to show about that. */
export interface Refused {
  readonly reason: Extract<WholeReason, "off" | "stopped" | "repeat">;
  readonly notice?: string;
}

/** Decides whether a call is cut; records in the meter why it is not. */
export async function admit(
  request: CutRequest,
  { meter, env }: { readonly meter?: Meter; readonly env: NodeJS.ProcessEnv },
  memory: Repeats,
): Promise<Admitted | Refused> {
  const { policy, caller, text, situation, repeats: given = memory } = request;
  if (policy.isOrder) return { mode: "on", repeats: memory };
  const mode = await readMode(env, { session: caller.session, project: request.project ?? caller.dir });
  if (mode === "off") return { reason: "off" };
  const entries = (await meter?.entriesOf(caller.session)) ?? [];
  const history = mode === "shadow" ? entries.map(asIfOn) : entries;
  if (hasLost(history)) {
    const { noticeChars = Number.POSITIVE_INFINITY } = request.room ?? {};
    const isSaid = hasStopped(history) || mode === "shadow" || text.length + STOPPED_LINE.length > noticeChars;
    if (isSaid) return { reason: "stopped" };
    await meter?.record(toMeterInput("stopped", request, {}));
    return { reason: "stopped", notice: STOPPED_LINE };
  }
  const repeats = typeof given === "function" ? given(history) : given;
  if (repeats.isRepeat(toCallKey(request, mode), text)) {
    const focus = typeof request.focus === "string" ? { focus: request.focus } : {};
    // What comes back is what the client shows of it, which may be far less than the text.
    const counted = { rawTokens: wholeTokensOf(request), contextTokens: situation?.contextTokens, ...focus };
    await meter?.record(toMeterInput(repeatKind(mode), request, counted));
    return { reason: "repeat" };
  }
  return { mode, repeats };
}

/** How the meter counts the same call again: in shadow its first answer was whole, and would not have been enough. */
export function repeatKind(mode: Mode): "repeated" | "missed" {
  return mode === "shadow" ? "missed" : "repeated";
}

/** What identifies a call. The session was shown nothing of what was cut in shadow, so that is apart. */
export function toCallKey(request: CutRequest, mode: Mode) {
  const { caller, args } = request;
  const session = mode === "shadow" && caller.session !== "" ? `${caller.session} in shadow` : caller.session;
  return { session, tool: caller.tool, args, isSearch: isSearch(request) };
}

/** in shadow everything is decided as it would have been, by what would have been cut and asked for again. */
function asIfOn(entry: MeterEntry): MeterEntry {
  if (entry.kind === "shadow") return { ...entry, kind: "cut" };
  return entry.kind === "missed" ? { ...entry, kind: "recovered" } : entry;
}
