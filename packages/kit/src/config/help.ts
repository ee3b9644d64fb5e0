// The list of settings for --help, from the schema's own descriptions, so that it cannot go stale.
import * as z from "zod";
import { expectedOf } from "./expected.ts";
import { fieldsOf } from "./parse-config.ts";

/** The settings of a schema as lines of help, with the flag of each where it has one. */
export function toConfigHelp(
  schema: z.core.$ZodType,
  options: { readonly flags?: Readonly<Record<string, string>> } = {},
): string {
  const flagOf = new Map(Object.entries(options.flags ?? {}).map(([flag, name]) => [name, `--${flag}`]));
  const rows = Object.entries(fieldsOf(schema)).map(([name, field]) => {
    // A flag may have a field of its own, named like it.
    const names = new Set([flagOf.get(name) ?? name, name]);
    return { left: [...names].join(", "), right: describe(field) };
  });
  const width = Math.max(0, ...rows.map((row) => row.left.length));
  return rows.map((row) => `  ${row.left.padEnd(width)}  ${row.right}\n`).join("");
}

function describe(field: z.core.$ZodType): string {
  const words = field instanceof z.ZodType ? field.description : undefined;
  const fallback = defaultOf(field);
  const facts = [expectedOf(field), ...(fallback === undefined ? [] : [`default ${fallback}`])].join("; ");
  return words === undefined ? facts : `${words} (${facts})`;
}

function defaultOf(field: z.core.$ZodType): string | undefined {
  if (!(field instanceof z.ZodDefault)) return undefined;
  const value: unknown = field.def.defaultValue;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(String).join(",");
  return value === "" ? "empty" : String(value);
}
