// How the connected client shows results to its model: in which form, and how much of them. The table of
// clients is in base.
import { type ClientId, clientOf, type ResultForm, shownBy, shownCharsOf } from "@jeeves/base";

export type { ResultForm };

/** How a client introduces itself when it connects. */
export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

/** A client that did not identify itself. */
export const UNKNOWN_CLIENT: ClientIdentity = { name: "", version: "" };

/** The id of the client; undefined for one that we do not know. */
export function knownClientOf(client: ClientIdentity): ClientId | undefined {
  return clientOf(client.name)?.id;
}

/** The form of a result that the client's model sees; `JEEVES_RESULT_FORM` overrides it. */
export function resultFormOf(client: ClientIdentity, env: NodeJS.ProcessEnv): ResultForm {
  const asked = env.JEEVES_RESULT_FORM?.trim().toLowerCase();
  if (asked === "both" || asked === "text") return asked;
  return shownBy(client.name)?.resultForm ?? "both";
}

/** How many characters of a result the client shows; undefined: no limit. */
export function maxResultCharsOf(client: ClientIdentity, env: NodeJS.ProcessEnv): number | undefined {
  return shownCharsOf(shownBy(client.name), "result", env);
}

/** How many characters of a failed call's result (`isError`) the client shows; undefined: no limit. */
export function maxErrorCharsOf(client: ClientIdentity, env: NodeJS.ProcessEnv): number | undefined {
  return shownCharsOf(shownBy(client.name), "error", env);
}
