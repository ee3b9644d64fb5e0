// A value as JSON has it on the command line: the names of its fields in snake case, everything else as it is.

/** Names of fields only: what people named (files, tools) stands in values. */
export function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeCased(field),
    ]),
  );
}
