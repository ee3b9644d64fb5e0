// Edits of settings as text: whatever is not ours stays byte for byte.
import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonChange, listAt, objectAt } from "../src/init/json-settings.ts";
import { editJson } from "../src/init/text/json-steps.ts";

const OURS = { command: "/data/bin/mcp-pruner", env: { A: "1" } };
const change = jsonChange("settings.json", {
  add(settings) {
    objectAt(settings, "mcpServers").jeeves = OURS;
    listAt(objectAt(settings, "hooks"), "PreToolUse").push({ matcher: "Read", hooks: [{ server: "jeeves" }] });
  },
  remove(settings) {
    const { mcpServers, hooks } = settings as {
      mcpServers?: Record<string, unknown>;
      hooks?: { PreToolUse?: unknown[] };
    };
    if (mcpServers !== undefined) delete mcpServers.jeeves;
    if (hooks?.PreToolUse !== undefined)
      hooks.PreToolUse = hooks.PreToolUse.filter((entry) => !JSON.stringify(entry).includes('"jeeves"'));
  },
});

it.each([
  '{\n  "a": 1\n}\n',
  '{\n\t"a": 1, // one\n\t// two\n\t"b": [1,2,   3] /* three */\n}',
  '{\n    "a": {"b": 1},\n    "mcpServers": {\n        "other": {} // theirs\n    },\n}\n',
  '// head\n{\r\n  "mcpServers": { // mine\r\n  },\r\n  "hooks": {"PreToolUse": [ // first\r\n {"matcher":"X"}\r\n ]}\r\n}\r\n// tail',
  '{\n  "hooks": {\n    "PreToolUse": [\n      {"matcher": "X"}, // x\n    ]\n  }\n}\n',
  '{\n  "mcpServers": {"old": {}, "mcpServers": 1},\n  "mcpServers": {\n    "b": {}\n  }\n}\n',
])("what was added is taken out again, also without a note of what was there: %j", (text) => {
  const added = change.add?.(text) ?? "";
  expect(added).toContain("/data/bin/mcp-pruner");
  expect(change.add?.(added)).toBe(added);
  for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(added).toContain(comment);
  expect(withoutBlanks(change.remove(added) ?? "")).toBe(withoutBlanks(text));
});

it("a list or object that was written over several lines comes back byte for byte", () => {
  const text = '{\n  "a": 1, // one\n  "hooks": {\n    "PreToolUse": [\n      { "matcher": "X" } // x\n    ]\n  }\n}\n';
  expect(change.remove(change.add?.(text) ?? "")).toBe(text);
});

it.each([
  ["{\n  oops\n}", "settings.json is not valid JSON: Invalid symbol in line 2, column 3"],
  ['{"a": 1', "settings.json is not valid JSON: Close brace expected in line 1, column 8"],
  ['{\n  "a": 1\n  "b": 2\n}', "settings.json is not valid JSON: Comma expected in line 3, column 3"],
  ["[]", "settings.json is not a JSON object"],
  [`{"a": ${"[".repeat(50_000)}`, "settings.json is nested too deeply"],
])("%j is refused", (text, words) => {
  expect(() => change.add?.(text)).toThrow(words);
});

/** JSON text with blanks and comments wherever they may stand. */
const gap = fc.constantFrom("", " ", "\n", "\r\n  ", " // c\n", "/* d */", "\n\t/* e */ ");
const scalar = fc
  .oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null))
  .map((value) => JSON.stringify(value));
const { value: jsonc } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof({ depthSize: "small" }, scalar, tie("object"), tie("list")),
  object: fc
    .tuple(
      gap,
      fc.uniqueArray(fc.tuple(fc.string(), gap, tie("value"), gap), { maxLength: 4, selector: ([key]) => key }),
      fc.boolean(),
    )
    .map(([first, items, hasComma]) => {
      const text = items.map(([key, before, value, after]) => `${JSON.stringify(key)}:${before}${value}${after}`);
      return `{${first}${text.join(",")}${hasComma && items.length > 0 ? "," : ""}}`;
    }),
  list: fc
    .tuple(gap, fc.array(fc.tuple(tie("value"), gap), { maxLength: 4 }))
    .map(([first, items]) => `[${first}${items.map(([value, after]) => value + after).join(",")}]`),
}));

it("any edit says what was meant, and keeps every comment around what is added", () => {
  const objects = jsonc.filter((text) => text.startsWith("{"));
  fc.assert(
    fc.property(objects, objects, (text, other) => {
      const edited = editJson("x", text, parsed(text), parsed(other));
      expect(parsed(edited)).toEqual(parsed(other));
      const added = change.add?.(text) ?? "";
      const comments = /\/\/ c|\/\* [de] \*\//g;
      expect(added.match(comments)?.length ?? 0).toBeGreaterThanOrEqual(
        outsideStrings(text).match(comments)?.length ?? 0,
      );
    }),
    { numRuns: 500 },
  );
});

function parsed(text: string): unknown {
  return JSON.parse(outsideStrings(text, { keepStrings: true }));
}

/** The text without its strings, or without its comments and last commas. */
function outsideStrings(text: string, { keepStrings = false } = {}): string {
  const pieces = text.match(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*.*?\*\/|[^"/]+|\//gs) ?? [];
  if (!keepStrings) return pieces.filter((piece) => !piece.startsWith('"')).join("");
  const plain = pieces.filter((piece) => !piece.startsWith("/"));
  const joined = plain.join("").match(/"(?:[^"\\]|\\.)*"|[^"]+/gs) ?? [];
  return joined.map((piece) => (piece.startsWith('"') ? piece : piece.replace(/,(\s*\})/g, "$1"))).join("");
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
