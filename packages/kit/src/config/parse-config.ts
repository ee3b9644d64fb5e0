// Configuration: environment and flags, parsed by one zod schema whose fields are named like the variables.
// Strict refuses a bad value, lenient takes the default and reports it. Neither reads a file nor exits.
import { parseArgs } from "node:util";
import { suggest } from "@jeeves/base";
import * as z from "zod";
import { expectedOf } from "./expected.ts";

/** Where settings come from: the environment and, where a program has flags, its arguments. */
export interface ConfigInput {
  readonly env: NodeJS.ProcessEnv;
  readonly argv?: ConfigFlags;
}

/** Arguments of the command line, and the fields that flags set. */
export interface ConfigFlags {
  readonly args: readonly string[];
  /** `{ port: "JEEVES_PORT" }`: --port sets that field, and wins over the environment. */
  readonly flags: Readonly<Record<string, string>>;
}

/** A setting with a bad value, and what would be right. */
export interface ConfigIssue {
  /** The variable, or the flag where that is where the value came from. */
  readonly name: string;
  readonly value: string;
  readonly expected: string;
}

/** Settings that are all valid, or every issue that was found. */
export type ConfigResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/** Strict: every bad value is an issue, with its name, its value (unless that is a secret) and what would be valid. */
export function parseConfig<T>(schema: z.ZodType<T>, input: ConfigInput): ConfigResult<T> {
  const given = gather(input);
  const parsed = schema.safeParse(given.values);
  if (parsed.success && given.issues.length === 0) return { ok: true, value: parsed.data };
  const wrong = parsed.success ? [] : toIssues(schema, parsed.error.issues, given);
  return { ok: false, issues: [...given.issues, ...wrong] };
}

/** Each field that is wrong falls back to its default; its issue names it. Throws only if the defaults are wrong. */
export function parseConfigLeniently<T>(
  schema: z.ZodType<T>,
  input: ConfigInput,
): { readonly value: T; readonly issues: readonly ConfigIssue[] } {
  const given = gather(input);
  const parsed = schema.safeParse(given.values);
  if (parsed.success) return { value: parsed.data, issues: given.issues };
  const issues = toIssues(schema, parsed.error.issues, given);
  const bad = new Set(parsed.error.issues.map((issue) => String(issue.path[0] ?? "")));
  const good = Object.fromEntries(Object.entries(given.values).filter(([name]) => !bad.has(name)));
  return { value: schema.parse(good), issues: [...given.issues, ...issues] };
}

/** An issue as one line for people: `NAME="value": expected …`. */
export function toConfigMessage(issue: ConfigIssue): string {
  return `${issue.name}=${JSON.stringify(issue.value)}: expected ${issue.expected}`;
}

interface Gathered {
  readonly values: Readonly<Record<string, string>>;
  readonly flagOf: ReadonlyMap<string, string>;
  readonly issues: readonly ConfigIssue[];
}

function gather(input: ConfigInput): Gathered {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(input.env)) if (value !== undefined) values[name] = value;
  const flagOf = new Map<string, string>();
  const issues: ConfigIssue[] = [];
  if (input.argv === undefined) return { values, flagOf, issues };

  const { args, flags } = input.argv;
  const known = Object.keys(flags).map((flag) => `--${flag}`);
  const expected = known.length === 0 ? "no arguments" : known.join(", ");
  const options = Object.fromEntries(Object.keys(flags).map((flag) => [flag, { type: "string" as const }]));
  // Not strict, so that all mistakes are reported, in our words; Node would throw at the first.
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      issues.push({ name: "argument", value: token.value, expected });
      continue;
    }
    const field = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (field === undefined) {
      const meant = suggest(token.rawName, [...known, "--help", "--version"]);
      const isMeant = meant === undefined ? "" : `; did you mean ${meant}?`;
      issues.push({ name: token.rawName, value: token.value ?? "", expected: `${expected}${isMeant}` });
    } else if (token.value === undefined) {
      issues.push({ name: token.rawName, value: "", expected: "a value after it" });
    } else {
      values[field] = token.value;
      flagOf.set(field, token.rawName);
    }
  }
  return { values, flagOf, issues };
}

function toIssues(
  schema: z.core.$ZodType,
  zodIssues: readonly z.core.$ZodIssue[],
  given: Gathered,
): readonly ConfigIssue[] {
  const names = [...new Set(zodIssues.map((issue) => String(issue.path[0] ?? "")))];
  return names.map((name) => {
    const field = fieldsOf(schema)[name];
    // A rule over several fields belongs to none of them; its message is written in the schema.
    const words = zodIssues.find((issue) => issue.code === "custom" && String(issue.path[0] ?? "") === name)?.message;
    const expected = words ?? (field === undefined ? "a valid value" : expectedOf(field));
    return { name: given.flagOf.get(name) ?? name, value: toShown(given.values[name] ?? "", field), expected };
  });
}

/** Values that the schema marks as secret (`.meta({ secret: true })`) are left out of messages and logs. */
function toShown(value: string, field: z.core.$ZodType | undefined): string {
  const isSecret = field instanceof z.ZodType && field.meta()?.secret === true;
  return isSecret && value !== "" ? "(not shown)" : value;
}

/** The fields of an object schema, also where it is piped into another one. */
export function fieldsOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
  if (schema instanceof z.ZodObject) return schema.shape;
  return schema instanceof z.ZodPipe ? fieldsOf(schema.in) : {};
}
