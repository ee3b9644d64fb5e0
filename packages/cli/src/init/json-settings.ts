// Changes to settings files that are JSON. A file that is no JSON object is refused with the place where it broke.

import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@jeeves/base";
import { parseJsonc } from "@jeeves/workspace";
import type { Content, SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";

export type Json = Record<string, unknown>;

/**
 * `remove` takes out entries only: the containers that this empties are seen to here. `add` starts from what `remove`
 * left, and is given the settings as they were before.
 */
export function jsonChange(
  path: string,
  { add, remove }: { readonly add: (settings: Json, before: Json) => void; readonly remove: (settings: Json) => void },
): SettingsChange {
  return {
    path,
    add(content, own) {
      const settings = parse(path, content ?? "{}");
      const before = structuredClone(settings);
      remove(settings);
      add(settings, before);
      dropEmptied(settings, before, parse(path, own ?? "{}"));
      // The order of keys means nothing to anybody.
      return content !== undefined && isDeepStrictEqual(settings, before) ? content : render(path, settings, content);
    },
    remove(content, own) {
      const settings = parse(path, content);
      const before = structuredClone(settings);
      remove(settings);
      dropEmptied(settings, before, parse(path, own ?? "{}"));
      if (isDeepStrictEqual(settings, before)) return content;
      const text = render(path, settings, content);
      return isEmpty(settings) && own === undefined ? undefined : text;
    },
  };
}

/** Takes out what held nothing but ours. What was empty before, or is in the user's own file, is theirs. */
function dropEmptied(settings: Json, before: Json, own: Json): void {
  for (const [key, value] of Object.entries(settings)) {
    const [then, theirs] = [before[key], own[key]];
    if (isRecord(value) && isRecord(then)) dropEmptied(value, then, isRecord(theirs) ? theirs : {});
    if (isEmpty(value) && !isEmpty(then) && !isContainer(theirs)) delete settings[key];
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return isContainer(value) && Object.keys(value).length === 0;
}

function parse(path: string, content: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(content.trim() === "" ? "{}" : content.replace(/^\uFEFF/, ""));
  } catch (error) {
    value = parseJsonc(content);
    if (value === undefined)
      throw new SetupError(`${path} is not valid JSON: ${placeOf(error, content)}`, "it was left untouched");
  }
  if (!isRecord(value)) throw new SetupError(`${path} is not a JSON object`, "it was left untouched");
  return value;
}

function placeOf(error: unknown, content: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /position (\d+)/.exec(message)?.[1];
  const [words = ""] = message.split(/ in JSON| at position|, "/);
  if (position === undefined) return message;
  const before = content.slice(0, Number(position)).split("\n");
  return `${words} in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function isStrict(content: string): boolean {
  try {
    JSON.parse(content.replace(/^\uFEFF/, "").trim() || "{}");
    return true;
  } catch {
    return false;
  }
}

/** In the manner of what was there: its indent, its line ends, its first bytes. */
function render(path: string, settings: Json, content: Content = "{}\n"): string {
  if (!isStrict(content))
    throw new SetupError(
      `${path} has comments or trailing commas, which would be lost`,
      "it was left untouched; --print shows what to put into it, or to take out",
    );
  const indent = /^\uFEFF?\{\r?\n([ \t]+)/.exec(content)?.[1] ?? "  ";
  const text = `${JSON.stringify(settings, null, indent)}${/\n\s*$/.test(content) ? "\n" : ""}`;
  const lines = content.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
  return content.startsWith("\uFEFF") ? `\uFEFF${lines}` : lines;
}

/** The object under a key, made where it is missing; what is there and no object is somebody's mistake, not ours. */
export function objectAt(parent: Json, key: string): Json {
  const found = parent[key] ?? {};
  if (!isRecord(found)) throw new SetupError(`"${key}" is not an object in the settings`, "nothing was changed");
  parent[key] = found;
  return found;
}

export function listAt(parent: Json, key: string): unknown[] {
  const found = parent[key] ?? [];
  if (!Array.isArray(found)) throw new SetupError(`"${key}" is not a list in the settings`, "nothing was changed");
  parent[key] = found;
  return found;
}

/** Takes what matches out of a list. */
export function dropFrom(parent: Json, key: string, matches: (item: unknown) => boolean): void {
  const found = parent[key];
  if (Array.isArray(found)) parent[key] = found.filter((item) => !matches(item));
}
