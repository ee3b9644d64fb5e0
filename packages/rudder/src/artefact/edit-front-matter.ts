// Edits of front matter that touch only what they change (RU-05, RU-07): the parser finds where a value stands, and the
// text is spliced there. Comments, order, spacing, line ends and unknown fields stay as people wrote them. Every edit
// is read back: a splice with another meaning is refused, never written.
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "@jeeves/base";
import { isMap, isScalar, isSeq, type Pair, parseDocument, Scalar, stringify, type YAMLMap, type YAMLSeq } from "yaml";
import { toJsonLine } from "../json-line.ts";
import { RudderError } from "../rudder-error.ts";
import { type ArtefactText, parseFront, splitArtefact } from "./front-matter.ts";

/** A change of one field: its value, an item of its list, or a key of its map. */
export type FrontEdit =
  | { readonly kind: "set"; readonly field: string; readonly value: string }
  | { readonly kind: "add"; readonly field: string; readonly item: string }
  /** `matches` decides which items are meant: `T42` in a file is T042. */
  | { readonly kind: "remove"; readonly field: string; readonly matches: (item: string) => boolean }
  | { readonly kind: "put"; readonly field: string; readonly key: string; readonly value: string };

/** Makes the edits in their order. Throws `broken_artefact` where the front matter is broken or an edit is not safe. */
export function editFront(text: string, edits: readonly FrontEdit[], path: string): string {
  let current = text;
  for (const edit of edits) current = applyEdit(current, edit, path);
  return current;
}

function applyEdit(text: string, edit: FrontEdit, path: string): string {
  const artefact = splitArtefact(text);
  const parsed = parseFront(artefact);
  if (!parsed.ok) throw brokenArtefact(path, parsed.problem);
  const front = text.slice(artefact.frontStart, artefact.frontEnd);
  const wanted = expectedFields(parsed.fields, edit);
  if (isDeepStrictEqual(wanted, parsed.fields)) return text;
  const edited = spliceFront(front, edit, artefact);
  const result = text.slice(0, artefact.frontStart) + edited + text.slice(artefact.frontEnd);
  const again = parseFront(splitArtefact(result));
  if (!again.ok || !isDeepStrictEqual(again.fields, wanted)) {
    throw new RudderError(
      "broken_artefact",
      `${path}: ${edit.field} is written in a way that cannot be edited safely`,
      {
        hint: `edit the field ${edit.field} in that file by hand; nothing was changed`,
        details: { path, field: edit.field },
      },
    );
  }
  return result;
}

function brokenArtefact(path: string, problem: { readonly line: number; readonly message: string }): RudderError {
  return new RudderError("broken_artefact", `${path}:${problem.line}: ${problem.message}`, {
    hint: `repair line ${problem.line} of that file; everything else goes on working`,
    details: { path, line: problem.line },
  });
}

function expectedFields(fields: Readonly<Record<string, unknown>>, edit: FrontEdit): Record<string, unknown> {
  const before = fields[edit.field];
  switch (edit.kind) {
    case "set":
      return { ...fields, [edit.field]: edit.value };
    case "add":
      return { ...fields, [edit.field]: [...toItems(before), edit.item] };
    case "remove": {
      const items = toItems(before);
      const left = items.filter((item) => typeof item !== "string" || !edit.matches(item));
      return left.length === items.length ? { ...fields } : { ...fields, [edit.field]: left };
    }
    case "put":
      return { ...fields, [edit.field]: { ...(isRecord(before) ? before : {}), [edit.key]: edit.value } };
  }
}

/** People also write one item without brackets, or several with commas. */
export function toItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string" || /^(?:|~|null)$/i.test(value)) return [];
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

type How = Pick<ArtefactText, "eol">;

function spliceFront(front: string, edit: FrontEdit, how: How): string {
  const document = parseDocument(front, { schema: "failsafe" });
  const map = isMap(document.contents) ? document.contents : undefined;
  if (map?.flow === true) return spliceIntoFlowFields(front, edit, how);
  const pair = map?.items.find((item) => isScalar(item.key) && item.key.value === edit.field);
  if (pair === undefined) return insertField(front, map, `${edit.field}: ${freshValue(edit)}`, how);
  const { value } = pair;
  if (edit.kind === "set") return replaceValue(front, pair, toYamlScalar(edit.value), how);
  if (edit.kind === "put") {
    if (!isMap(value) || value.items.length === 0) return replaceValue(front, pair, freshValue(edit), how);
    return putIntoMap(front, value, edit, how);
  }
  if (!isSeq(value) || value.items.length === 0) {
    const items = isSeq(value) ? [] : toItems(isScalar(value) ? value.value : undefined);
    const left = edit.kind === "add" ? [...items, edit.item] : items.filter((item) => !edit.matches(String(item)));
    return replaceValue(front, pair, toFlowList(left.map(String)), how);
  }
  return edit.kind === "add"
    ? addToSeq(front, value, edit.item, how)
    : removeFromSeq(front, { pair, seq: value, matches: edit.matches });
}

function freshValue(edit: FrontEdit): string {
  if (edit.kind === "set") return toYamlScalar(edit.value);
  if (edit.kind === "add") return toFlowList([edit.item]);
  if (edit.kind === "remove") return "[]";
  return `{ ${toYamlScalar(edit.key, true)}: ${toYamlScalar(edit.value, true)} }`;
}

/** `[a, b]`, with quotes where YAML needs them. */
export function toFlowList(items: readonly string[]): string {
  return `[${items.map((item) => toYamlScalar(item, true)).join(", ")}]`;
}

/** One line of YAML, quoted where a YAML reader would otherwise not see exactly this text. */
export function toYamlScalar(value: string, inFlow = false): string {
  // JSON is YAML, and the only form that is sure to stay on its line.
  if (/[\p{Cc}\p{Zl}\p{Zp}\uFEFF]/u.test(value)) return toJsonLine(value);
  const plain = stringify(inFlow ? [value] : value, {
    lineWidth: 0,
    defaultStringType: Scalar.PLAIN,
    collectionStyle: inFlow ? "flow" : "any",
    flowCollectionPadding: false,
  }).replace(/\n$/, "");
  const text = inFlow ? plain.slice(1, -1) : plain;
  return text.includes("\n") ? toJsonLine(value) : text;
}

function insertField(front: string, map: YAMLMap.Parsed | undefined, line: string, how: How): string {
  const first = map?.items[0]?.key;
  const start = first?.range?.[0] ?? 0;
  const indent = front.slice(front.lastIndexOf("\n", start - 1) + 1, start).replace(/[^ ]/g, "");
  const gap = front === "" || front.endsWith("\n") ? "" : how.eol;
  return `${front}${gap}${indent}${line}${how.eol}`;
}

function replaceValue(front: string, pair: Pair, value: string, how: How): string {
  const range = rangeOf(pair.value);
  const afterColon = front.indexOf(":", rangeOf(pair.key)[1]) + 1;
  if (range[0] === range[1] || range[0] < afterColon) {
    const next = front[afterColon] ?? "";
    return `${front.slice(0, afterColon)} ${value}${/[\s]/.test(next) || next === "" ? "" : " "}${front.slice(afterColon)}`;
  }
  // A block (| text, or a list below its key) ends with its line's end, which has to stay.
  const old = front.slice(range[0], range[1]);
  const ownLine = front.slice(afterColon, range[0]).includes("\n");
  return (
    front.slice(0, ownLine ? afterColon : range[0]) +
    (ownLine ? " " : "") +
    value +
    (old.endsWith("\n") ? how.eol : "") +
    front.slice(range[1])
  );
}

function addToSeq(front: string, seq: YAMLSeq, item: string, how: How): string {
  const last = rangeOf(seq.items.at(-1));
  if (seq.flow === true) return `${front.slice(0, last[1])}, ${toYamlScalar(item, true)}${front.slice(last[1])}`;
  const first = rangeOf(seq.items[0])[0];
  const lead = /^[ \t]*-/.exec(front.slice(lineStart(front, first)))?.[0] ?? "  -";
  const at = lineEnd(front, last[1]);
  const gap = front[at - 1] === "\n" ? "" : how.eol;
  return `${front.slice(0, at)}${gap}${lead} ${toYamlScalar(item)}${how.eol}${front.slice(at)}`;
}

function removeFromSeq(
  front: string,
  from: { readonly pair: Pair; readonly seq: YAMLSeq; readonly matches: (item: string) => boolean },
): string {
  const { pair, seq, matches } = from;
  const isGone = (item: unknown): boolean => isScalar(item) && typeof item.value === "string" && matches(item.value);
  const gone = seq.items.map((item) => isGone(item));
  const allGone = gone.every(Boolean);
  let text = front;
  // From the back, so that offsets before a cut stay true.
  for (let i = seq.items.length - 1; i >= 0; i--) {
    if (gone[i] !== true) continue;
    const at = rangeOf(seq.items[i]);
    if (seq.flow !== true) {
      text = text.slice(0, lineStart(text, at[0])) + text.slice(lineEnd(text, at[1]));
    } else if (i + 1 < seq.items.length && gone.slice(0, i).every(Boolean)) {
      text = text.slice(0, at[0]) + text.slice(nextKept(seq, gone, i) ?? at[1]);
    } else {
      text = text.slice(0, i > 0 ? rangeOf(seq.items[i - 1])[1] : at[0]) + text.slice(at[1]);
    }
  }
  if (!allGone) return text;
  if (seq.flow === true) {
    const whole = rangeOf(seq);
    return `${front.slice(0, whole[0])}[]${front.slice(whole[1])}`;
  }
  const colon = text.indexOf(":", rangeOf(pair.key)[1]) + 1;
  return `${text.slice(0, colon)} []${text.slice(colon)}`;
}

function nextKept(seq: YAMLSeq, gone: readonly boolean[], from: number): number | undefined {
  for (let i = from + 1; i < gone.length; i++) if (gone[i] === false) return rangeOf(seq.items[i])[0];
  return undefined;
}

function putIntoMap(front: string, map: YAMLMap, edit: Extract<FrontEdit, { kind: "put" }>, how: How): string {
  const flow = map.flow === true;
  const value = toYamlScalar(edit.value, flow);
  const pair = map.items.find((item) => isScalar(item.key) && item.key.value === edit.key);
  if (pair !== undefined) return replaceValue(front, pair, value, how);
  const entry = `${toYamlScalar(edit.key, flow)}: ${value}`;
  const last = map.items.at(-1);
  const end = rangeOf(last?.value ?? last?.key)[1];
  if (flow) return `${front.slice(0, end)}, ${entry}${front.slice(end)}`;
  const first = rangeOf(map.items[0]?.key)[0];
  const lead = front.slice(lineStart(front, first), first);
  const at = lineEnd(front, end);
  return `${front.slice(0, at)}${front[at - 1] === "\n" ? "" : how.eol}${lead}${entry}${how.eol}${front.slice(at)}`;
}

/** `{id: T001, …}` on one line: rare enough to let the library write that line. */
function spliceIntoFlowFields(front: string, edit: FrontEdit, how: How): string {
  const document = parseDocument(front, { schema: "failsafe" });
  const fields: unknown = document.toJS();
  document.set(edit.field, expectedFields(isRecord(fields) ? fields : {}, edit)[edit.field]);
  return document.toString({ lineWidth: 0 }).replaceAll("\n", how.eol);
}

function rangeOf(node: unknown): readonly [number, number] {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  if (!Array.isArray(range)) return [0, 0];
  return [Number(range[0]), Number(range[1])];
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Just past the end of the line that `at` stands in; `at` itself where a line has just ended. */
function lineEnd(text: string, at: number): number {
  if (at > 0 && text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
