// Option values that are checked while the words are parsed: what passes here cannot be wrong later.
import { oneLine, parseCount as toCount, parsePort as toPort } from "@jeeves/base";
import { InvalidArgumentError } from "commander";
import { EFFORTS, PRIORITIES } from "../../artefact/artefact.ts";

/** `--tag a --tag b` and `--tag a,b` mean the same; an item that is given twice counts once. */
export function collectList(value: string, before: readonly string[] | undefined): string[] {
  const items = value.split(",").map((item) => item.trim());
  return [...new Set([...(before ?? []), ...items.filter((item) => item !== "")])];
}

/** Repeatable, taken as it is: a path may hold commas. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** `--target api=1.2`, repeatable; the last one of a component counts. */
export function collectTargets(value: string, before: Readonly<Record<string, string>> | undefined) {
  const at = value.indexOf("=");
  const [name, version] = [value.slice(0, at).trim(), value.slice(at + 1).trim()];
  if (at < 1 || name === "" || version === "") throw new InvalidArgumentError("write it as component=version.");
  return { ...before, [name]: version };
}

/** In any case; upper case comes back. */
export function parseEffort(value: string): string {
  const effort = EFFORTS.find((one) => one === value.toUpperCase());
  if (effort === undefined) throw new InvalidArgumentError(`one of: ${EFFORTS.join(", ")}.`);
  return effort;
}

/** In any case; lower case comes back. */
export function parsePriority(value: string): string {
  const priority = PRIORITIES.find((one) => one === value.toLowerCase());
  if (priority === undefined) throw new InvalidArgumentError(`one of: ${PRIORITIES.join(", ")}.`);
  return priority;
}

/** From 1 to 999,999. */
export function parseCount(value: string): number {
  const count = toCount(value, { max: 999_999 });
  if (count === undefined) throw new InvalidArgumentError("a whole number from 1 on.");
  return count;
}

/** From 0 to 65535. */
export function parsePort(value: string): number {
  const port = toPort(value);
  if (port === undefined) throw new InvalidArgumentError("a port, 0 to 65535.");
  return port;
}

/** Tokens, 200 at least. */
export function parseBudget(value: string): number {
  const tokens = toCount(value, { min: 200, max: 9_999_999 });
  if (tokens === undefined) throw new InvalidArgumentError("tokens, at least 200.");
  return tokens;
}

/** A title or a name: words on one line, 500 characters at most. */
export function parseWords(value: string): string {
  const words = oneLine(value);
  if (words === "") throw new InvalidArgumentError("it must not be empty.");
  parseTitle(words);
  if (words.length > 500) throw new InvalidArgumentError("at most 500 characters.");
  return words;
}

/** Elsewhere `-` reads stdin: who writes it for a title expects that, and would get a title `-`. */
export function parseTitle(value: string): string {
  if (value.trim() !== "-") return value;
  throw new InvalidArgumentError("- reads stdin only for texts; a title is written out.");
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d`, `12h`, `2w`, `90m` in milliseconds. */
export function parseAge(value: string): number {
  const found = /^(\d+)([mhdw])$/.exec(value.trim().toLowerCase());
  const count = toCount(found?.[1] ?? "", { max: 99_999 });
  if (count === undefined) throw new InvalidArgumentError("a number and m, h, d or w, like 30d.");
  return count * (UNIT_MS[found?.[2] ?? ""] ?? 0);
}
