// What a client shows its model of an MCP result, by the name that it connects with: also of clients that have no row in the
// table, because they set us up by a command of their own.
import { type ClientTraits, clientOf } from "./clients.ts";

/** How a client shows results. */
export type Shows = Pick<ClientTraits, "clientInfo" | "resultForm" | "shows">;

const OTHERS: readonly Shows[] = [
  // Copilot CLI 1.0.102: its model sees text and JSON, one behind the other; of 20 kB and more, 500 characters and a file.
  { clientInfo: /^copilot-cli\b/i, resultForm: "text", shows: { result: 20_000 } },
];

/** undefined for a client that we do not know. */
export function shownBy(name: string): Shows | undefined {
  return clientOf(name) ?? OTHERS.find(({ clientInfo }) => clientInfo.test(name));
}
