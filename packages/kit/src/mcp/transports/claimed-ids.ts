// The ids of a session's requests that have no answer yet, on `/mcp`: a second request may not take one of them.
import { parseJson, type RequestId, toFrame } from "../json-rpc.ts";

/** Which POST brought the request with an id. */
export type ClaimedIds = Map<RequestId, Request>;

/** Claims the ids of all requests in a body. Where one is taken, claims none and returns that one. */
export function claimIds(
  body: Uint8Array | undefined,
  claimed: ClaimedIds,
  by: Request,
): { readonly taken: RequestId } | undefined {
  const parsed = body === undefined ? undefined : parseJson(body);
  const frames = parsed?.kind === "value" ? [parsed.value].flat().map(toFrame) : [];
  const own = new Set<RequestId>();
  for (const frame of frames) {
    if (frame.kind !== "request") continue;
    if (own.has(frame.id) || claimed.has(frame.id)) return { taken: frame.id };
    own.add(frame.id);
  }
  for (const id of own) claimed.set(id, by);
  return undefined;
}

/** Releases the ids that a POST has claimed: `only` one, or all of them. */
export function releaseIds(claimed: ClaimedIds, by: Request, only?: RequestId): void {
  const held = only === undefined ? [...claimed.keys()] : [only];
  for (const id of held) if (claimed.get(id) === by) claimed.delete(id);
}
