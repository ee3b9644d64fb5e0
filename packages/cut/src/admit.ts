// Whether a call may be cut now: by the mode, by what the session's cuts were worth so far, and unless it repeats an
// earlier call. Orders are always admitted.
import { estimateTokens } from "@jeeves/prune";
import type { CutRequest, WholeReason } from "./cut-request.ts";
import type { Meter } from "./meter/meter.ts";
import { toMeterInput } from "./meter/meter-input.ts";
import { type Mode, readMode } from "./meter/mode.ts";
import type { Repeats } from "./policy/repeats.ts";
import { hasLost, hasStopped, STOPPED_LINE } from "./policy/session-net.ts";
import { isSearch } from "./search/find-search.ts";

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
  const { policy, caller, text, repeats: given = memory } = request;
  if (policy.isOrder) return { mode: "on", repeats: memory };
  const mode = await readMode(env, { session: caller.session, project: request.project ?? caller.dir });
  if (mode === "off") return { reason: "off" };
  const history = (await meter?.entriesOf(caller.session)) ?? [];
  if (hasLost(history)) {
    const { noticeChars = Number.POSITIVE_INFINITY } = request.room ?? {};
    const isSaid = hasStopped(history) || mode === "shadow" || text.length + STOPPED_LINE.length > noticeChars;
    if (isSaid) return { reason: "stopped" };
    await meter?.record(toMeterInput("stopped", request, {}));
    return { reason: "stopped", notice: STOPPED_LINE };
  }
  const repeats = typeof given === "function" ? given(history) : given;
  const call = toCallKey(request);
  if (repeats.isRepeat(call, text)) {
    const tokens = estimateTokens(text);
    const focus = typeof request.focus === "string" ? { focus: request.focus } : {};
    await meter?.record(toMeterInput("repeated", request, { rawTokens: tokens, keptTokens: tokens, ...focus }));
    return { reason: "repeat" };
  }
  return { mode, repeats };
}

/** What identifies a call. */
export function toCallKey(request: CutRequest) {
  const { caller, args } = request;
  return { session: caller.session, tool: caller.tool, args, isSearch: isSearch(request) };
}
