// what a native Read is answered where the transcript tells how large the context is.
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ANSWER, given, makeSource, QUESTION, readEvent, shownText } from "./given.ts";

const source = makeSource();
const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

/** An interceptor, and a way to say how large the context is and which call was made last, in a transcript that grows. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const one = await given(env);
  made.push(one);
  const transcript = join(one.dir, "priced.jsonl");
  let calls = 0;
  const note = (record: unknown) => appendFile(transcript, `${JSON.stringify(record)}\n`);
  await note({ type: "user", message: { role: "user", content: QUESTION } });
  /** The fields of the hook that are the same for every call. */
  async function call(contextTokens: number, more: Readonly<Record<string, unknown>> = {}) {
    const id = `call-${++calls}`;
    const usage = { input_tokens: 1, cache_read_input_tokens: contextTokens - 1, output_tokens: 5 };
    const content = [{ type: "tool_use", id, name: "Read", input: {} }];
    await note({ type: "assistant", message: { role: "assistant", id: `m${calls}`, content, usage }, ...more });
    return { tool_use_id: id, transcript_path: transcript };
  }
  async function read(text: string, contextTokens: number, more: Readonly<Record<string, unknown>> = {}) {
    return one.handle({ ...readEvent(join(one.dir, "a.ts"), text), ...(await call(contextTokens, more)) });
  }
  return { ...one, note, call, read };
}

describe("a whole read", () => {
  it("X-56 in a small context is an outline with the answer in it; in a large one it is left alone", async () => {
    const { read: readInLarge } = await start();
    expect(await readInLarge(source, 900_000)).toBeUndefined();
    const { read } = await start();
    const shown = shownText(await read(source, 30_000));
    expect(shown).toContain(ANSWER);
    const headers = source.split("\n").filter((line) => line.startsWith("export function"));
    for (const header of headers) expect(shown).toContain(`│ ${header}`);
    expect(shown.length).toBeLessThan(source.length / 2);
  });

  it("X-56 JEEVES_POLICY=keen cuts where careful does not", async () => {
    const { read: careful } = await start();
    expect(await careful(source, 250_000)).toBeUndefined();
    const { read: keen } = await start({ JEEVES_POLICY: "keen" });
    expect(await keen(source, 250_000)).toBeDefined();
  });
});

describe("a file that the session has", () => {
  const head = source.split("\n").slice(0, 399).join("\n");
  const changed = source.replace("request.rows.length * 3", "request.rows.length * 4");

  it("X-56 asked again unchanged gets everything; changed, only what the session does not have", async () => {
    const { read } = await start();
    expect(await read(source, 900_000)).toBeUndefined();
    expect(await read(source, 900_000)).toBeUndefined();
    const shown = shownText(await read(changed, 900_000));
    expect(shown).toContain("request.rows.length * 4");
    expect(shown).toMatch(/⟦… \d+ lines \d+-\d+ shown before⟧/);
    expect(shown.length).toBeLessThan(source.length / 10);
  });

  it.each([900_000, 100_000])(
    "X-56 a context that was compacted has it no longer, whatever its size is by then: %d",
    async (contextTokens) => {
      const { read, note } = await start();
      await read(source, 900_000);
      await note({ type: "system", subtype: "compact_boundary" });
      await note({ type: "user", isCompactSummary: true, message: { role: "user", content: "What was done so far." } });
      const shown = await read(changed, contextTokens);
      if (shown !== undefined) expect(shownText(shown)).not.toContain("shown before");
    },
  );

  it("X-56 a deleted line is not hidden: all behind it has other numbers, and is shown", async () => {
    const { read } = await start();
    await read(source, 900_000);
    const lines = source.split("\n");
    const without = [...lines.slice(0, 700), ...lines.slice(701)];
    const shown = shownText(await read(without.join("\n"), 900_000));
    expect(shown).toContain("⟦… 700 lines 1-700 shown before⟧");
    for (const number of [701, 1_000, 1_400]) expect(shown).toContain(`${number}│ ${without[number - 1]}`);
  });

  it("X-56 what a subagent was shown is not in this context", async () => {
    const { read } = await start();
    await read(source, 900_000, { isSidechain: true });
    expect(await read(changed, 900_000)).toBeUndefined();
  });

  it("X-57 an edited file of which the session has little is read as it is: our numbers would make it larger", async () => {
    const { read, handle, dir, call, meterLines } = await start();
    shownText(await read(source, 30_000));
    const edit = { file_path: join(dir, "a.ts"), old_string: "length * 3", new_string: "length * 4" };
    await handle({ hook_event_name: "PreToolUse", tool_name: "Edit", tool_input: edit, ...(await call(30_000)) });
    expect(await read(changed, 30_000)).toBeUndefined();
    expect((await meterLines()).filter(({ kind }) => kind === "cut")).toHaveLength(1);
  });

  it("X-56 of a read by lines only what was shown before is left out, with the numbers of the file", async () => {
    const { handle, dir, call, read } = await start();
    await read(head, 900_000);
    const path = join(dir, "a.ts");
    const content = source.split("\n").slice(300, 500).join("\n");
    const file = { filePath: path, content, numLines: 200, startLine: 301, totalLines: 1500 };
    const event = { hook_event_name: "PostToolUse", tool_name: "Read", tool_response: { type: "text", file } };
    const input = { file_path: path, offset: 301, limit: 200 };
    const shown = shownText(await handle({ ...event, tool_input: input, ...(await call(900_000)) }));
    expect(shown).toContain("⟦… 99 lines 301-399 shown before⟧");
    for (const number of [401, 499]) expect(shown).toContain(`${number}│ ${source.split("\n")[number - 1]}`);
  });
});
