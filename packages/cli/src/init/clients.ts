// The clients that jeeves init sets up, and which of them have hooks that ours can use.
export const CLIENTS = ["claude-code", "codex", "lm-studio", "gemini", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];

const WITH_HOOKS: readonly ClientName[] = ["claude-code", "codex"];

export function hasHooks(client: ClientName): boolean {
  return WITH_HOOKS.includes(client);
}
