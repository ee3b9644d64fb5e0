// One file as the corpus sees it: scopes, the terms of each, what it imports, what it defines. Pure.
import { scanWords } from "@jeeves/prune/text";
import { type Family, familyOf } from "../catalog/file-kind.ts";
import type { ScannedFile, ScannedScope } from "../store/scanned-file.ts";
import { termIdsOf } from "../words/term-ids.ts";
import { indentOf, scanDefinitions } from "./scan-definitions.ts";

const WINDOW_LINES = 60;
/** Of one term in one scope: more tell nothing more. */
const MAX_COUNT = 255;
const IMPORT =
  /^\s*(?:from\s+([.\w]+)\s+import\b\s*(.*)|import\s+([\w., ]+)$|(?:import|export)\b[^'"]*['"]([^'"]+)['"]|.*\brequire(?:_relative)?\s*\(?\s*['"]([^'"]+)['"]|#\s*include\s*[<"]([^>"]+)[>"]|(?:pub\s+)?use\s+([\w:]+)|(?:import|using|package)\s+(?:static\s+)?([\w.*]+);?|mod\s+(\w+);)/;

/** The scan of one text. */
export function scanFile(path: string, text: string): ScannedFile {
  const family = familyOf(path);
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const { scopes, constants } = scanScopes(lines, family);
  const scopeOf = paint(scopes, lines.length);
  const rows = countTerms(lines, scopeOf, scopes.length);
  return { lineCount: lines.length, scopes, ...rows, constants, imports: importsOf(lines, family) };
}

/** The scopes alone, for those who count the words themselves. */
export function scanScopes(lines: readonly string[], family: Family): Pick<ScannedFile, "scopes" | "constants"> {
  const constants: { name: string; line: number }[] = [];
  return { scopes: nest(lines, family, constants), constants };
}

function nest(lines: readonly string[], family: Family, constants: { name: string; line: number }[]): ScannedScope[] {
  const scopes: ScannedScope[] = [
    { kind: "file", name: "", start: 0, header: 0, end: Math.max(0, lines.length - 1), parent: -1 },
  ];
  const definitions = scanDefinitions(lines, family);
  const opened: { index: number; indent: number }[] = [];
  const flat = family === "docs" || family === "data" || family === "shell";
  let scopeCount = 0;
  for (let d = 0; d < definitions.length; d++) {
    const definition = definitions[d];
    if (definition === undefined) continue;
    if (definition.kind === "constant") {
      constants.push({ name: definition.name, line: definition.line });
      continue;
    }
    scopeCount++;
    let end = lines.length - 1;
    if (flat) {
      const next = definitions.slice(d + 1, d + 2)[0];
      if (next !== undefined) end = Math.max(definition.line, next.line - 1);
    } else end = endByIndent(lines, definition.line, definition.indent);
    while (opened.length > 0 && (scopes[opened.at(-1)?.index ?? 0]?.end ?? 0) < definition.line) opened.pop();
    const parent = flat ? 0 : (opened.at(-1)?.index ?? 0);
    const lead = leadOf(
      lines,
      definition.line,
      definition.indent,
      (scopes[parent]?.start ?? 0) + (parent === 0 ? 0 : 1),
    );
    opened.push({ index: scopes.length, indent: definition.indent });
    const { kind, name, line: header } = definition;
    scopes.push({ kind, name, start: flat ? header : lead, header, end, parent });
  }
  if (scopeCount === 0 && lines.length > WINDOW_LINES * 1.5) {
    for (let start = 0; start < lines.length; start += WINDOW_LINES)
      scopes.push({
        kind: "section",
        name: "",
        start,
        header: start,
        end: Math.min(lines.length, start + WINDOW_LINES) - 1,
        parent: 0,
      });
  }
  return scopes;
}

/** The last line that is indented deeper than the header; a closing bracket on the header's own column belongs to it. */
function endByIndent(lines: readonly string[], header: number, indent: number): number {
  let last = header;
  for (let i = header + 1; i < lines.length; i++) {
    const line = lines[i] ?? "";
    const depth = indentOf(line);
    if (depth < 0) continue;
    if (depth <= indent) {
      const first = line.trimStart().charAt(0);
      if (first === ")" || first === "]" || (first === "{" && depth === indent)) {
        last = i;
        continue;
      }
      return first === "}" ? i : last;
    }
    last = i;
  }
  return last;
}

/** Decorators and comments right above a definition are part of it. */
function leadOf(lines: readonly string[], header: number, indent: number, floor: number): number {
  let first = header;
  for (let i = header - 1; i >= floor && i >= header - 40; i--) {
    const line = lines[i] ?? "";
    if (indentOf(line) !== indent && !/^\s*\*/.test(line)) break;
    if (!/^\s*(?:@|#|\/\/|\/\*|\*|--|%)/.test(line)) break;
    first = i;
  }
  return first;
}

function paint(scopes: readonly ScannedScope[], count: number): Int32Array {
  const scopeOf = new Int32Array(count);
  for (let s = 1; s < scopes.length; s++) {
    const scope = scopes[s];
    if (scope !== undefined) scopeOf.fill(s, scope.start, scope.end + 1);
  }
  return scopeOf;
}

function countTerms(
  lines: readonly string[],
  scopeOf: Int32Array,
  scopeCount: number,
): Pick<ScannedFile, "rowStart" | "rowTerm" | "rowCount"> {
  const linesOf: number[][] = Array.from({ length: scopeCount }, () => []);
  for (let i = 0; i < lines.length; i++) linesOf[scopeOf[i] ?? 0]?.push(i);
  const rowStart = new Uint32Array(scopeCount + 1);
  const terms: number[] = [];
  const counts: number[] = [];
  const met = new Map<number, number>();
  const count = (word: string): void => {
    for (const id of termIdsOf(word)) met.set(id, (met.get(id) ?? 0) + 1);
  };
  for (let s = 0; s < scopeCount; s++) {
    rowStart[s] = terms.length;
    for (const i of linesOf[s] ?? []) {
      const line = lines[i] ?? "";
      scanWords(line, 0, line.length, count);
    }
    for (const [id, times] of met) {
      terms.push(id);
      counts.push(Math.min(times, MAX_COUNT));
    }
    met.clear();
  }
  rowStart[scopeCount] = terms.length;
  return { rowStart, rowTerm: Uint32Array.from(terms), rowCount: Uint8Array.from(counts) };
}

function importsOf(lines: readonly string[], family: Family): string[] {
  if (family === "docs" || family === "data" || family === "plain") return [];
  const found = new Set<string>();
  for (const line of lines) {
    if (line.length > 300 || !/import|require|include|use |using|mod |package/.test(line)) continue;
    const m = IMPORT.exec(line);
    if (m === null) continue;
    const [, from, names = "", plain, script, required, include, used, other, mod] = m;
    if (from !== undefined) {
      found.add(from);
      for (const name of names.replace(/[()#].*/, "").split(",")) {
        const word = name.trim().split(/\s+/)[0] ?? "";
        if (/^\w+$/.test(word)) found.add(from.endsWith(".") ? `${from}${word}` : `${from}.${word}`);
      }
    } else if (plain !== undefined) for (const name of plain.split(",")) found.add(name.trim().split(/\s+/)[0] ?? "");
    else {
      const name = script ?? required ?? include ?? used ?? other ?? mod;
      if (name !== undefined && name !== "") found.add(name);
    }
  }
  return [...found];
}
