// Checks arguments of callers without types: with wrong options a text would come back whole, as if nothing matched.

const ALLOWED = {
  kind: ["code", "logs", "docs", "matches"],
  mode: ["auto", "share", "ratio"],
} as const;

/** Throws a TypeError where an argument of `prune` has the wrong type or an unknown value. */
export function checkArguments(whole: unknown, options: unknown): void {
  const text = typeof whole === "string" ? whole : fieldsOf(whole).text;
  if (typeof text !== "string")
    throw new TypeError(`prune: the text is ${nameOf(whole)}, not a string or a line table of splitLines`);
  const { focus, kind, amount } = fieldsOf(options);
  if (typeof focus !== "string") throw new TypeError(`prune: options.focus is ${nameOf(focus)}, not a string`);
  checkWord("kind", kind, ALLOWED.kind);
  if (amount !== undefined) checkWord("amount.mode", fieldsOf(amount).mode ?? null, ALLOWED.mode);
}

function checkWord(name: string, given: unknown, allowed: readonly unknown[]): void {
  if (given === undefined || allowed.includes(given)) return;
  const shown = typeof given === "string" ? JSON.stringify(given) : nameOf(given);
  throw new TypeError(`prune: options.${name} is ${shown}, not one of ${allowed.join(", ")}`);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function nameOf(given: unknown): string {
  return given === null ? "null" : given instanceof Uint8Array ? "bytes" : typeof given;
}
