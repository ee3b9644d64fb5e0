// what a native Read is answered where the transcript tells how large the context is.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ANSWER, given, makeSource, QUESTION, readEvent, shownText } from "./given.ts";

const source = makeSource();
const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

/** An interceptor, and a way to say how large the context is and which call was made last. */
async function start(env: Readonly<Record<string, string>> = {}) {
  const one = await given(env);
  made.push(one);
  const transcript = join(one.dir, "priced.jsonl");
  let calls = 0;
  async function read(text: string, contextTokens: number, more: Readonly<Record<string, unknown>> = {}) {
    const id = `call-${++calls}`;
    const usage = { input_tokens: 1, cache_read_input_tokens: contextTokens - 1, output_tokens: 5 };
    const content = [{ type: "tool_use", id, name: "Read", input: {} }];
    const records = [
      { type: "user", message: { role: "user", content: QUESTION } },
      { type: "assistant", message: { role: "assistant", id: `m${calls}`, content, usage }, ...more },
    ];
    await writeFile(transcript, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const event = readEvent(join(one.dir, "a.ts"), text);
    return one.handle({ ...event, tool_use_id: id, transcript_path: transcript });
  }
  return { ...one, transcript, read };
}

describe("a whole read", () => {
  it("X-56 in a small context is an outline with the answer in it; in a large one it is left alone", async () => {
    const { read } = await start();
    expect(await read(source, 900_000)).toBeUndefined();
    const shown = shownText(await read(`${source}\n// changed`, 30_000));
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

  it("X-56 a context that was compacted has it no longer", async () => {
    const { read } = await start();
    await read(source, 900_000);
    expect(await read(changed, 400_000)).toBeUndefined();
  });

  it("X-56 what a subagent was shown is not in this context", async () => {
    const { read } = await start();
    await read(source, 900_000, { isSidechain: true });
    expect(await read(changed, 900_000)).toBeUndefined();
  });

  it("X-56 of a read by lines only what was shown before is left out, with the numbers of the file", async () => {
    const { handle, dir, transcript, read } = await start();
    await read(head, 900_000);
    const ranged = { ...readEvent(join(dir, "a.ts"), source), tool_use_id: "call-2", transcript_path: transcript };
    const lines = source.split("\n").slice(300, 500);
    const file = {
      filePath: join(dir, "a.ts"),
      content: lines.join("\n"),
      numLines: 200,
      startLine: 301,
      totalLines: 1500,
    };
    const usage = { input_tokens: 900_000, output_tokens: 5 };
    const content = [{ type: "tool_use", id: "call-2", name: "Read", input: {} }];
    await writeFile(
      transcript,
      [
        { type: "user", message: { role: "user", content: QUESTION } },
        { type: "assistant", message: { role: "assistant", content, usage } },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    );
    const shown = shownText(
      await handle({
        ...ranged,
        tool_input: { file_path: join(dir, "a.ts"), offset: 301, limit: 200 },
        tool_response: { type: "text", file },
      }),
    );
    expect(shown).toContain("⟦… 99 lines 301-399 shown before⟧");
    expect(shown).toContain(`401│ ${source.split("\n")[400]}`);
    expect(shown).toContain(`499│ ${source.split("\n")[498]}`);
  });
});
