// What a place in a file looked like: its line, the headers that it stands under and its neighbours, as hashes. A
// place is `ok` only where all of them are as they were; blank lines and indentation at a line's ends do not count.
import { createHash } from "node:crypto";
import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{16}$|^$/);

/** Fingerprints as a memo has them: 16 hexadecimal digits of SHA-256 each. */
export const fingerprintSchema = z.union([
  z.strictObject({ line: hash, scope: hash, before: hash, after: hash }),
  z.strictObject({ file: hash }),
]);

/** Of a line, or of a whole file where a reference names no line. */
export type Fingerprint = z.infer<typeof fingerprintSchema>;

type PlaceStatus =
  | { readonly status: "ok" | "changed" | "gone" }
  | { readonly status: "moved" /** 1-based. */; readonly line: number };

const HASH_CHARS = 16;

/** undefined: the text has no such line. */
export function fingerprintOf(text: string, line: number | undefined): Fingerprint | undefined {
  if (line === undefined) return { file: hashOf(text) };
  const lines = text.split("\n");
  return line < 1 || line > lines.length ? undefined : placeOf(lines, line - 1);
}

/** What became of a place in the text of today. */
export function comparePlace(text: string, line: number | undefined, was: Fingerprint): PlaceStatus {
  if ("file" in was) return { status: hashOf(text) === was.file ? "ok" : "changed" };
  if (line === undefined) return { status: "changed" };
  const lines = text.split("\n");
  const isSame = (i: number): boolean => {
    const now = placeOf(lines, i);
    return now.line === was.line && now.scope === was.scope && now.before === was.before && now.after === was.after;
  };
  if (line <= lines.length && isSame(line - 1)) return { status: "ok" };
  const moved = movedTo(lines, line - 1, was);
  if (moved !== undefined) return { status: "moved", line: moved + 1 };
  return { status: isEdited(lines, was) ? "changed" : "gone" };
}

interface Place {
  readonly line: string;
  readonly scope: string;
  readonly before: string;
  readonly after: string;
}

function placeOf(lines: readonly string[], i: number): Place {
  return {
    line: hashOf(textAt(lines, i)),
    scope: hashOf(headersAbove(lines, i).join("\n")),
    before: hashOf(textAt(lines, nextText(lines, i, -1))),
    after: hashOf(textAt(lines, nextText(lines, i, 1))),
  };
}

/** Where the line is now under the same headers and beside one of its neighbours; nowhere if two places are as likely. */
function movedTo(lines: readonly string[], from: number, was: Place): number | undefined {
  let best: { readonly at: number; readonly same: number } | undefined;
  let isTied = false;
  for (let i = 0; i < lines.length; i++) {
    if (i === from || hashOf(textAt(lines, i)) !== was.line) continue;
    const now = placeOf(lines, i);
    const same = Number(now.before === was.before) + Number(now.after === was.after);
    if (now.scope !== was.scope || same === 0 || same < (best?.same ?? 0)) continue;
    isTied = best?.same === same;
    best = { at: i, same };
  }
  return isTied ? undefined : best?.at;
}

/** Whether the place is still there with other text: its neighbours around another line, or its scope. */
function isEdited(lines: readonly string[], was: Place): boolean {
  let isScopeThere = false;
  for (let i = 0; i < lines.length; i++) {
    if (textAt(lines, i) === "") continue;
    const now = placeOf(lines, i);
    if (now.line === was.before && now.after === was.after) return false; // nothing is left between them
    if (now.before === was.before && now.after === was.after) return true;
    if (now.line === was.line) isScopeThere = true;
    if (was.scope !== hashOf("") && now.scope === was.scope) isScopeThere = true;
  }
  return isScopeThere;
}

/** The lines that this one is nested in, by indentation, innermost first. */
function headersAbove(lines: readonly string[], i: number): string[] {
  const headers: string[] = [];
  let indent = indentOf(lines[i] ?? "");
  for (let at = i - 1; at >= 0 && indent > 0; at--) {
    const text = textAt(lines, at);
    if (text === "" || indentOf(lines[at] ?? "") >= indent) continue;
    indent = indentOf(lines[at] ?? "");
    headers.push(text);
  }
  return headers;
}

function nextText(lines: readonly string[], i: number, step: 1 | -1): number {
  let at = i + step;
  while (at >= 0 && at < lines.length && textAt(lines, at) === "") at += step;
  return at;
}

function textAt(lines: readonly string[], i: number): string {
  return (lines[i] ?? "").trim();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_CHARS);
}
