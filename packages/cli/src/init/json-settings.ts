// Changes to settings files that are JSON, with or without comments. A file that is neither is refused with the place where
// it broke; everything that is not ours stays byte for byte.

import { isDeepStrictEqual } from "node:util";
import { type ClientTraits, isRecord } from "@jeeves/base";
import { parse as parseValue, stripComments } from "jsonc-parser";
import type { SettingsChange } from "./settings-file.ts";
import { SetupError } from "./setup-error.ts";
import { editJson } from "./text/json-steps.ts";
import { hasComment, type JsonPath, looseJsonIn, nodeAt, parseJsonTree } from "./text/json-text.ts";

/** The value of a settings file: a JSON object. */
export type Json = Record<string, unknown>;

interface JsonEdits {
  /** What of ours goes into the file, in a few words. */
  readonly what?: string;
  /** The client that reads it, which may reject comments and trailing commas: what is added to such a file does nothing. */
  readonly reader?: Pick<ClientTraits, "title" | "strictJson">;
  readonly add: (settings: Json, before: Json) => void;
  readonly remove: (settings: Json) => void;
}

/** A settings file: its text without the byte order mark, and its value. */
interface JsonFile {
  readonly bom: string;
  readonly text: string;
  readonly value: Json;
}

/**
 * A change of a settings file that is JSON. `remove` takes out entries only; containers that this empties are removed
 * here. `add` starts from what `remove` left, and is given the settings as they were before.
 */
export function jsonChange(path: string, { what, reader, add, remove }: JsonEdits): SettingsChange {
  return {
    path,
    ...(what === undefined ? {} : { what }),
    add(content, own) {
      const file = parse(path, content ?? "{}\n");
      if (reader !== undefined) refuseLoose(path, content ?? "", reader);
      const settings = structuredClone(file.value);
      remove(settings);
      inFile(path, () => add(settings, file.value));
      dropEmptied(settings, file.value, emptiesToKeep(path, file, own));
      return content !== undefined && isDeepStrictEqual(settings, file.value) ? content : render(path, file, settings);
    },
    remove(content, own) {
      const file = parse(path, content);
      const settings = structuredClone(file.value);
      remove(settings);
      dropEmptied(settings, file.value, emptiesToKeep(path, file, own));
      if (isDeepStrictEqual(settings, file.value)) return content;
      const isNothingLeft = isEmpty(settings) && own === undefined && !hasComment(file.text);
      return isNothingLeft ? undefined : render(path, file, settings);
    },
  };
}

function refuseLoose(path: string, content: string, { title, strictJson }: NonNullable<JsonEdits["reader"]>): void {
  const loose = strictJson && looseJsonIn(content, strictJson);
  if (strictJson === undefined || loose === undefined) return;
  throw new SetupError(
    `${path} has ${loose.what} in line ${loose.line}: ${title} ${strictJson.effect}`,
    "take it out and run this again; nothing was changed",
  );
}

/** Takes out what held nothing but ours. What was empty before is the user's. */
function dropEmptied(settings: Json, before: Json, keeps: (path: JsonPath) => boolean, path: JsonPath = []): void {
  for (const [key, value] of Object.entries(settings)) {
    const then = before[key];
    const here = [...path, key];
    if (isRecord(value) && isRecord(then)) dropEmptied(value, then, keeps, here);
    if (isEmpty(value) && !isEmpty(then) && !keeps(here)) delete settings[key];
  }
}

/** The containers that stay though nothing is left in them: they are in the user's own file, or hold comments. */
function emptiesToKeep(path: string, file: JsonFile, own: string | undefined): (at: JsonPath) => boolean {
  const theirs = own === undefined ? {} : parse(path, own).value;
  const root = parseJsonTree(path, file.text);
  return (at) => {
    const inOwn = at.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), theirs);
    const inFile = at.reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), file.value);
    return isContainer(inOwn) || (isContainer(inFile) && hasComment(file.text, nodeAt(root, at)));
  };
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return isContainer(value) && Object.keys(value).length === 0;
}

function parse(path: string, content: string): JsonFile {
  const bom = content.startsWith("\uFEFF") ? "\uFEFF" : "";
  const whole = content.slice(bom.length);
  // A text with nothing but blanks or comments in it is that of an empty object.
  const text = stripComments(whole).trim() === "" ? `${whole}{}` : whole;
  parseJsonTree(path, text);
  const value: unknown = parseValue(text, [], { allowTrailingComma: true });
  if (!isRecord(value)) throw new SetupError(`${path} is not a JSON object`, "it was left untouched");
  return { bom, text, value };
}

function render(path: string, { bom, text, value }: JsonFile, settings: Json): string {
  const wanted: unknown = JSON.parse(JSON.stringify(settings));
  const edited = editJson(path, text, value, wanted);
  // The file then holds what was meant, or it is not written.
  if (!isDeepStrictEqual(parse(path, edited).value, wanted))
    throw new SetupError(`${path} cannot be changed in place`, "it was left untouched; --print shows our part");
  return bom + edited;
}

/** A value of the settings that ours cannot go into. Never leaves this file. */
class WrongShape extends Error {}

function inFile(path: string, edit: () => void): void {
  try {
    edit();
  } catch (error) {
    if (!(error instanceof WrongShape)) throw error;
    throw new SetupError(`${path} has ${error.message}`, "it was left untouched");
  }
}

/** The object under a key, made where it is missing; what is there and no object is not ours to mend. */
export function objectAt(parent: Json, key: string): Json {
  const found = parent[key] ?? {};
  if (!isRecord(found)) throw new WrongShape(`"${key}", which is not an object`);
  parent[key] = found;
  return found;
}

/** The list under a key, made where it is missing; anything else there is not ours to mend. */
export function listAt(parent: Json, key: string): unknown[] {
  const found = parent[key] ?? [];
  if (!Array.isArray(found)) throw new WrongShape(`"${key}", which is not a list`);
  parent[key] = found;
  return found;
}

/** Takes hooks out of the lists of all moments: an entry that this leaves empty goes, too; hooks of others stay. */
export function dropHooks(hooks: Json, matches: (hook: Json) => boolean): void {
  const isOurs = (hook: unknown) => isRecord(hook) && matches(hook);
  for (const moment of Object.keys(hooks))
    dropFrom(hooks, moment, (entry) => {
      if (!isRecord(entry) || !Array.isArray(entry.hooks) || !entry.hooks.some(isOurs)) return false;
      dropFrom(entry, "hooks", isOurs);
      return entry.hooks.length === 0;
    });
}

/** Takes what matches out of a list. */
export function dropFrom(parent: Json, key: string, matches: (item: unknown) => boolean): void {
  const found = parent[key];
  if (Array.isArray(found)) parent[key] = found.filter((item) => !matches(item));
}
