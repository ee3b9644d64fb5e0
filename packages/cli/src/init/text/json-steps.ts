// The way from settings as they are to settings as they should be, as edits of their text: what both have is not touched.
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@jeeves/base";
import { type JsonPath, parseJsonTree, withItem, withoutItem, withValue } from "./json-text.ts";

type Step =
  | { readonly kind: "set"; readonly path: JsonPath; readonly value: unknown }
  | { readonly kind: "add"; readonly path: JsonPath; readonly key?: string; readonly value: unknown }
  | { readonly kind: "remove"; readonly path: JsonPath };

/** The text of `before`, changed so that it holds `after`. `path`: of the file, for errors. */
export function editJson(path: string, text: string, before: unknown, after: unknown): string {
  let edited = text;
  for (const step of stepsBetween(before, after, [])) {
    const root = parseJsonTree(path, edited);
    if (step.kind === "remove") edited = withoutItem(edited, root, step.path);
    else
      edited =
        step.kind === "set" ? withValue(edited, root, step.path, step.value) : withItem(edited, root, step.path, step);
  }
  return edited;
}

function stepsBetween(before: unknown, after: unknown, path: JsonPath): Step[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after)) return stepsOfObject(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return stepsOfList(before, after, path);
  return [{ kind: "set", path, value: after }];
}

function stepsOfObject(before: Record<string, unknown>, after: Record<string, unknown>, path: JsonPath): Step[] {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key) || after[key] === undefined);
  return [
    ...gone.map((key): Step => ({ kind: "remove", path: [...path, key] })),
    ...Object.entries(after).flatMap(([key, value]): Step[] => {
      if (value === undefined) return [];
      return Object.hasOwn(before, key)
        ? stepsBetween(before[key], value, [...path, key])
        : [{ kind: "add", path, key, value }];
    }),
  ];
}

/** Items that are the same stay in place; one of which only something was taken out is changed; new ones come last. */
function stepsOfList(before: readonly unknown[], after: readonly unknown[], path: JsonPath): Step[] {
  const changed: Step[] = [];
  const gone: number[] = [];
  let next = 0;
  for (const [index, item] of before.entries()) {
    if (next < after.length && isPartOf(after[next], item)) {
      changed.push(...stepsBetween(item, after[next], [...path, index]));
      next++;
    } else gone.unshift(index);
  }
  return [
    ...changed,
    ...gone.map((index): Step => ({ kind: "remove", path: [...path, index] })),
    ...after.slice(next).map((value): Step => ({ kind: "add", path, value })),
  ];
}

function isPartOf(part: unknown, whole: unknown): boolean {
  if (isDeepStrictEqual(part, whole)) return true;
  if (isRecord(part) && isRecord(whole)) {
    const keys = Object.keys(part);
    return keys.length > 0 && keys.every((key) => Object.hasOwn(whole, key) && isPartOf(part[key], whole[key]));
  }
  if (!Array.isArray(part) || !Array.isArray(whole) || part.length === 0) return false;
  let at = 0;
  for (const item of whole) if (at < part.length && isDeepStrictEqual(part[at], item)) at++;
  return at === part.length;
}
