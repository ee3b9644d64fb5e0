// Option values that are checked while the words are parsed: what passes here cannot be wrong later.
import { InvalidArgumentError } from "commander";
import { EFFORTS, PRIORITIES } from "../../artefact/artefact.ts";

/** `--tag a --tag b` and `--tag a,b` mean the same; so does what is said twice. */
export function collectList(value: string, before: readonly string[] | undefined): string[] {
  const items = value.split(",").map((item) => item.trim());
  return [...new Set([...(before ?? []), ...items.filter((item) => item !== "")])];
}

/** Repeatable, taken as it is: a path may hold commas. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

export function collectTargets(value: string, before: Readonly<Record<string, string>> | undefined) {
  const at = value.indexOf("=");
  const [name, version] = [value.slice(0, at).trim(), value.slice(at + 1).trim()];
  if (at < 1 || name === "" || version === "") throw new InvalidArgumentError("write it as component=version.");
  return { ...before, [name]: version };
}

export function parseEffort(value: string): string {
  const effort = EFFORTS.find((one) => one === value.toUpperCase());
  if (effort === undefined) throw new InvalidArgumentError(`one of: ${EFFORTS.join(", ")}.`);
  return effort;
}

export function parsePriority(value: string): string {
  const priority = PRIORITIES.find((one) => one === value.toLowerCase());
  if (priority === undefined) throw new InvalidArgumentError(`one of: ${PRIORITIES.join(", ")}.`);
  return priority;
}

export function parseCount(value: string): number {
  if (!/^\d{1,6}$/.test(value) || Number(value) < 1) throw new InvalidArgumentError("a whole number from 1 on.");
  return Number(value);
}

export function parsePort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) throw new InvalidArgumentError("a port, 0 to 65535.");
  return Number(value);
}

export function parseBudget(value: string): number {
  if (!/^\d{1,7}$/.test(value) || Number(value) < 200) throw new InvalidArgumentError("tokens, at least 200.");
  return Number(value);
}

/** A title or a name: words, on one line. */
export function parseWords(value: string): string {
  const words = value.replace(/\s+/g, " ").trim();
  if (words === "") throw new InvalidArgumentError("it must not be empty.");
  if (words.length > 500) throw new InvalidArgumentError("at most 500 characters.");
  return words;
}
