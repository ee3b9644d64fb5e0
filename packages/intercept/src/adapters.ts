// The adapter of each client that has hooks.
import { type ClientId, clientOf } from "@jeeves/base";
import { claudeAdapter } from "./claude/adapter.ts";
import { codexAdapter } from "./codex/adapter.ts";
import { geminiAdapter } from "./gemini/adapter.ts";
import type { ClientAdapter } from "./hook/client-adapter.ts";
import { opencodeAdapter } from "./opencode/adapter.ts";
import { plainAdapter } from "./plain/adapter.ts";

const ADAPTERS: Partial<Record<ClientId, ClientAdapter>> = {
  "claude-code": claudeAdapter,
  codex: codexAdapter,
  gemini: geminiAdapter,
  opencode: opencodeAdapter,
};

/** The adapter for a client, by the name that the client gives itself; the plain one for clients without their own. */
export function adapterOf(client: string): ClientAdapter {
  const id = clientOf(client)?.id;
  return (id === undefined ? undefined : ADAPTERS[id]) ?? plainAdapter;
}
