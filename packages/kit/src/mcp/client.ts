// What we know about who asks: which form of a result its model really sees, and how much of it.
// Knowledge about clients lives in the table below and nowhere else.

export interface ClientIdentity {
  readonly name: string;
  readonly version: string;
}

export const UNKNOWN_CLIENT: ClientIdentity = { name: "", version: "" };

export type ResultForm = "both" | "text";

/** The clients that we know by name. */
export type KnownClient = "claude-code" | "codex" | "opencode";

interface ClientTraits {
  readonly client: KnownClient;
  readonly name: RegExp;
  readonly form: ResultForm;
  readonly resultChars?: number;
  /** Where a failed call (`isError`) is cut earlier than others. */
  readonly errorChars?: number;
}

// Claude Code and Codex show their model structuredContent as JSON and hide the text beside it. Codex cuts the middle out of a result at
// 12,000 characters, or at 48,000 for models that it knows; a server cannot see which, so the smaller one holds.
const TRAITS: readonly ClientTraits[] = [
  { client: "claude-code", name: /^claude-code\b/i, form: "text", resultChars: 50_000, errorChars: 10_000 },
  { client: "codex", name: /^codex\b/i, form: "text", resultChars: 12_000 },
  { client: "opencode", name: /^opencode\b/i, form: "both" },
];

// Room for what the client itself wraps around a result.
const SHARE_PERCENT = 90;

/** Which client calls itself so; undefined for one that we do not know. */
export function knownClientOf(client: ClientIdentity): KnownClient | undefined {
  return traitsOf(client)?.client;
}

export function resultFormOf(client: ClientIdentity, env: NodeJS.ProcessEnv): ResultForm {
  const asked = env.JEEVES_RESULT_FORM?.trim().toLowerCase();
  if (asked === "both" || asked === "text") return asked;
  return traitsOf(client)?.form ?? "both";
}

export function maxResultCharsOf(client: ClientIdentity, env: NodeJS.ProcessEnv): number | undefined {
  return withRoom(parseLimit(env.JEEVES_MAX_RESULT_CHARS) ?? traitsOf(client)?.resultChars);
}

export function maxErrorCharsOf(client: ClientIdentity, env: NodeJS.ProcessEnv): number | undefined {
  const traits = traitsOf(client);
  return withRoom(parseLimit(env.JEEVES_MAX_RESULT_CHARS) ?? traits?.errorChars ?? traits?.resultChars);
}

function withRoom(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : Math.floor((limit * SHARE_PERCENT) / 100);
}

function traitsOf(client: ClientIdentity): ClientTraits | undefined {
  return TRAITS.find((traits) => traits.name.test(client.name));
}

function parseLimit(value: string | undefined): number | undefined {
  const text = value?.trim() ?? "";
  return /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}
