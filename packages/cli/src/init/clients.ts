// The clients that jeeves init sets up for the pruner; LM Studio has a command of its own.
export const CLIENTS = ["claude-code", "codex", "gemini", "opencode"] as const;
export type ClientName = (typeof CLIENTS)[number];
