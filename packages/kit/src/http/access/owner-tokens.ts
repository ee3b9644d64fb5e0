// The tokens that prove the owner of a listener. A state directory that cannot hold one is no reason not to start: then
// only the uid of a local client is proof, and the event names what to do.
import { ensureUserToken } from "@jeeves/state";
import type { Events } from "../../events/index.ts";

/** The tokens that prove a client to be the user's own; none where the state directory cannot hold one. */
export async function readOwnerTokens(env: NodeJS.ProcessEnv, events: Events): Promise<readonly string[]> {
  try {
    return [await ensureUserToken(env)];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof Error && "hint" in error ? error.hint : undefined;
    events.emit("warn", "http.token_unavailable", { message, hint });
    return [];
  }
}
