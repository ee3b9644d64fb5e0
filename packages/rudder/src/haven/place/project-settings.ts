// A project's settings for its ids in `.sailing/config.yaml` (RU-03): `ids: { task_digits: 4 }`.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@jeeves/base";
import { isMap, parseDocument } from "yaml";
import { DEFAULT_DIGITS, type Digits, KINDS } from "../../ids.ts";
import { stampOf } from "../files/file-stamp.ts";

interface Known {
  readonly path: string;
  readonly stamp: string | undefined;
  readonly text: string;
  readonly digits: Digits;
}

/** The last settings that were read: a server asks with every call, and they hardly ever change. */
let known: Known = { path: "", stamp: undefined, text: "", digits: DEFAULT_DIGITS };

/**
 * How many digits the project's ids have, 1 to 9; 3 where the file or a setting is missing or invalid. Never throws.
 */
export function readDigits(project: string): Digits {
  const path = join(project, ".sailing", "config.yaml");
  let text: string;
  let stamp: string | undefined;
  try {
    // Most projects have none, and an error costs ten times as much as a look.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return DEFAULT_DIGITS;
    stamp = stampOf(stats);
    if (stamp !== undefined && stamp === known.stamp && path === known.path) return known.digits;
    text = readFileSync(path, "utf8");
  } catch {
    return DEFAULT_DIGITS;
  }
  known = { path, stamp, text, digits: text === known.text ? known.digits : parseDigits(text) };
  return known.digits;
}

function parseDigits(text: string): Digits {
  const document = parseDocument(text, { schema: "failsafe" });
  if (document.errors.length > 0 || !isMap(document.contents)) return DEFAULT_DIGITS;
  const fields: unknown = document.toJS();
  const ids = isRecord(fields) && isRecord(fields.ids) ? fields.ids : {};
  const digitsOf = (kind: string): number => {
    const digits = Number(ids[`${kind}_digits`] ?? 3);
    return Number.isInteger(digits) && digits >= 1 && digits <= 9 ? digits : 3;
  };
  const [prd, epic, task, story] = KINDS.map(digitsOf);
  return { prd: prd ?? 3, epic: epic ?? 3, task: task ?? 3, story: story ?? 3 };
}
