// opencode's tools: the shapes that version 1.18.33 was seen to send.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { placesIn } from "../../cut/test/search/match-places.ts";
import { sessionFactsOf } from "../src/opencode/session-facts.ts";
import { askerOf, outputIn } from "./ask-by-plugin.ts";
import { ANSWER, given, makeSource } from "./given.ts";
import { withPaths } from "./with-paths.ts";

const source = makeSource();
const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

async function start() {
  const one = await given();
  made.push(one);
  return { ...one, ask: askerOf(one, "opencode") };
}

const page = (path: string, text: string, first = 1) => {
  const lines = text.split("\n").map((line, index) => `${first + index}: ${line}`);
  const end = `(End of file - total ${first + lines.length - 1} lines)`;
  return `<path>${path}</path>\n<type>file</type>\n<content>\n${lines.join("\n")}\n\n${end}\n</content>`;
};

describe("read", () => {
  it("keeps the answer, with opencode's own words around it and true numbers", async () => {
    const { ask, dir } = await start();
    const path = join(dir, "a.ts");
    const shown = outputIn(await ask("PostToolUse", "read", { filePath: path }, { output: page(path, source) }));
    const lines = source.split("\n");
    expect(shown.startsWith(`<path>${path}</path>\n<type>file</type>\n<content>\n`)).toBe(true);
    expect(shown).toMatch(/\[rest: .*prn_[a-z2-7]{12}\]\n\n\(End of file - total \d+ lines\)\n<\/content>$/);
    const kept = [...shown.matchAll(/^(\d+): (.*)$/gm)];
    expect(kept.length).toBeLessThan(lines.length / 2);
    for (const [, number, text] of kept) expect(text).toBe(lines[Number(number) - 1]);
    expect(kept.map(([, , text]) => text)).toContain(ANSWER);
  });

  it("leaves named lines, directories and what has another shape alone", async () => {
    const { ask, dir } = await start();
    const path = join(dir, "a.ts");
    const part = source.split("\n").slice(200, 900).join("\n");
    const ranged = { filePath: path, offset: 201, limit: 700 };
    expect(await ask("PostToolUse", "read", ranged, { output: page(path, part, 201) })).toBeUndefined();
    const listing = `<path>${dir}</path>\n<type>directory</type>\n<entries>\n${"a.ts\n".repeat(2_000)}</entries>`;
    expect(await ask("PostToolUse", "read", { filePath: dir }, { output: listing })).toBeUndefined();
    expect(await ask("PostToolUse", "read", { filePath: path }, { output: source })).toBeUndefined();
    expect(await ask("PostToolUse", "read", { filePath: path }, { text: source })).toBeUndefined();
  });
});

describe("bash", () => {
  const log = ["> vitest run", ...Array.from({ length: 4_000 }, (_, i) => ` ✓ case ${i} of area ${i % 17}`)];
  log.splice(2_000, 0, " FAIL  test/a.test.ts > waits", "AssertionError: expected 1 to be 2");

  it("of an output that opencode has cut, all of it is read from its file", async () => {
    const { ask, dir } = await start();
    const file = join(dir, "tool-output", "tool_1ed19224b001BOSq4dGqvlqD5O");
    await mkdir(join(dir, "tool-output"));
    await writeFile(file, `${log.join("\n")}\n`);
    const output = `...output truncated...\n\nFull output saved to: ${file}\n\n${log.slice(-2_000).join("\n")}\n`;
    const response = { output, metadata: { exit: 1, truncated: true, outputPath: file } };
    const shown = outputIn(await ask("PostToolUse", "bash", { command: "npm test" }, response));
    expect(shown).toContain("AssertionError: expected 1 to be 2");
    expect(shown.length).toBeLessThan(5_000);
  });

  it("does not read another file in its place, and leaves a part of an output alone", async () => {
    const { ask, dir } = await start();
    await writeFile(join(dir, "secret.txt"), `${log.join("\n")}\n`);
    for (const outputPath of [join(dir, "secret.txt"), join(dir, "gone"), undefined]) {
      const response = { output: log.slice(-2_000).join("\n"), metadata: { exit: 1, truncated: true, outputPath } };
      expect(await ask("PostToolUse", "bash", { command: "npm test" }, response)).toBeUndefined();
    }
  });
});

describe("grep", () => {
  const files = Array.from({ length: 5 }, (_, file) => ({
    path: `src/m${file}.ts`,
    lines: Array.from({ length: 20 }, (_, i) => ({
      number: i * 3 + 1,
      text: `const v${i} = normalize(rows[${i}].at); // ${i === 7 ? "checks the voucher limit" : "as the registry of the module has it, ".repeat(8)}`,
    })),
  }));

  it("X-58 names every match, in a form with headings, and keeps what opencode says about the rest", async () => {
    const { ask, dir } = await start();
    const blocks = files.map(({ path, lines }) =>
      [`${join(dir, path)}:`, ...lines.map(({ number, text }) => `  Line ${number}: ${text}\n`)].join("\n"),
    );
    const note = "(Results truncated. Consider using a more specific path or pattern.)";
    const output = `Found 100 matches (more matches available)\n${blocks.join("\n\n")}\n\n${note}`;
    const shown = outputIn(await ask("PostToolUse", "grep", { pattern: "normalize" }, { output }));
    const places = files.flatMap(({ path, lines }) => lines.map(({ number }) => `${path}:${number}`));
    expect(shown.startsWith("Found 100 matches (more matches available)\n")).toBe(true);
    expect(shown.endsWith(`]\n${note}`)).toBe(true);
    expect(placesIn(withPaths(shown))).toEqual(places.sort());
  });
});

describe("MCP servers", () => {
  it("one text is cut in its place; our own tools and lists of several are left alone", async () => {
    const { ask } = await start();
    const content = [{ type: "text", text: source }];
    const answer = await ask("PostToolUse", "docs_fetch", { query: "voucher limit" }, { content });
    const [item] = answer?.kind === "replace" ? (answer.output as { content: { text: string }[] }).content : [];
    expect(item?.text).toContain(ANSWER);
    expect(item?.text.length).toBeLessThan(source.length / 2);
    expect(await ask("PostToolUse", "jeeves_read", {}, { content })).toBeUndefined();
    expect(await ask("PostToolUse", "docs_fetch", {}, { content: [...content, ...content] })).toBeUndefined();
  });
});

describe("before a tool runs", () => {
  const marker = "⟦… 35 lines 120-154⟧";

  it.each([
    ["edit", { filePath: "a.ts", oldString: "a", newString: marker }],
    ["write", { filePath: "a.ts", content: marker }],
    ["multiedit", { filePath: "a.ts", edits: [{ oldString: "a", newString: marker }] }],
    ["apply_patch", { patchText: `*** Begin Patch\n+${marker}\n*** End Patch` }],
  ])("%s may not write a marker", async (tool, input) => {
    const { ask } = await start();
    expect(await ask("PreToolUse", tool, input)).toMatchObject({ kind: "refuse" });
  });

  it("an edit without one is let through", async () => {
    const { ask } = await start();
    expect(await ask("PreToolUse", "edit", { filePath: "a.ts", oldString: "a", newString: "b" })).toBeUndefined();
  });
});

describe("the facts of a session", () => {
  const user = {
    info: { role: "user" },
    parts: [
      { type: "text", text: "Why?" },
      { type: "text", text: "x", synthetic: true },
    ],
  };
  const assistant = (callID: string, tokens: object, state: object = {}) => ({
    info: { role: "assistant", modelID: "opus", tokens },
    parts: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "I look." },
      { type: "tool", callID, state },
    ],
  });
  const used = { input: 100, cache: { read: 4_000, write: 50 } };

  it("are the user's last words, what was said since, the size of the context and its calls", () => {
    const facts = sessionFactsOf([user, assistant("c1", used), assistant("c2", { input: 0 })]);
    expect(facts).toEqual({
      ...{ user: "Why?", said: "I look.", thought: "Hm.", context_tokens: 4_150, model: "opus" },
      calls: ["c2", "c1"],
    });
  });

  it("leave out calls above a summary, and results that opencode has cleared", () => {
    const summary = { info: { role: "assistant", summary: true }, parts: [{ type: "text", text: "So far." }] };
    const cleared = assistant("c2", used, { time: { compacted: 1 } });
    expect(sessionFactsOf([assistant("c1", used), summary, user, cleared, assistant("c3", used)]).calls).toEqual([
      "c3",
    ]);
  });

  it.each([undefined, null, [], [{}], [{ info: {}, parts: [null] }], "x"])("are none in %j", (messages) => {
    expect(sessionFactsOf(messages)).toEqual({ calls: [] });
  });
});
