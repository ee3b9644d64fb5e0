// What a command reads from stdin or a pipe.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readBounded } from "../../src/cli/read-document.ts";
import { projectForTest, taskPath } from "../haven-under-test.ts";

it("X-24 a command that waited for its stdin did not end at Ctrl-C: a signal ends the reading at once", async () => {
  const stop = new AbortController();
  const input = new PassThrough();
  const reading = readBounded(input, { maxBytes: 10, signal: stop.signal });
  stop.abort(new Error("SIGINT"));
  await expect(reading).rejects.toThrow("SIGINT");
  await expect(readBounded(input, { maxBytes: 10, signal: stop.signal })).rejects.toThrow("SIGINT");
});

it("X-24 at most one byte more than the bound is read", async () => {
  const input = new PassThrough();
  input.end("0123456789");
  expect(Buffer.from(await readBounded(input, { maxBytes: 4 })).toString()).toBe("01234");
});

const readInput = async () => "From a pipe.\nTwo lines.\n";

it.each([
  [["task", "log", "T001", "-"], "memory/T001.log", "From a pipe."],
  [["task", "log", "T001", "look", "--snippet", "-"], "memory/T001.log", "From a pipe."],
  [["task", "block", "T001", "-"], "memory/T001.log", "Blocked: From a pipe."],
  [["memory", "add", "E001", "-"], "memory/E001.md", "- From a pipe.\n  Two lines.\n"],
  [["artifact", "edit", "T001", "--section", "Notes", "--append", "-"], taskPath(1), "From a pipe.\nTwo lines.\n"],
  [["artifact", "edit", "T001", "--section", "Notes", "--prepend", "-"], taskPath(1), "From a pipe.\nTwo lines.\n"],
  [["artifact", "edit", "T001", "--section", "Notes", "--replace", "-"], taskPath(1), "From a pipe.\nTwo lines.\n"],
])("X-24 %j took its text for a dash: it is read from stdin", async (words, file, text) => {
  const test = await projectForTest(1);
  // Where there is no stdin (a server's client) nothing is written.
  const refused = await test.run(words);
  expect(refused).toMatchObject({
    exitCode: 2,
    text: expect.stringContaining("- reads stdin, and there is none here"),
  });
  const { exitCode } = await test.run(words, { readInput });
  expect(exitCode).toBe(0);
  expect(test.read(file)).toContain(text);
  const [group = "", command = ""] = words;
  expect((await test.run([group, command, "--help"])).text).toMatch(/- reads\s+it from stdin/);
});

it.each([
  [["prd", "create", "-"]],
  [["epic", "create", "PRD-001", "-"]],
  [["task", "create", "E001", "-"]],
  [["task", "update", "T001", "--title", "-"]],
  [["artifact", "edit", "T001", "--section", "-", "--append", "x"]],
])("X-24 %j made a title of a dash", async (words) => {
  const test = await projectForTest(1);
  const refused = await test.run(words, { readInput });
  expect(refused).toMatchObject({ exitCode: 2, text: expect.stringContaining("a title is written out") });
});

it("X-24 stdin is one text of a command, and a bounded one", async () => {
  const test = await projectForTest(1);
  const twice = await test.run(["task", "log", "T001", "-", "--snippet", "-"], { readInput });
  expect(twice).toMatchObject({ exitCode: 2, text: expect.stringContaining("message and snippet") });
  const long = { readInput: async () => "x".repeat(300_000) };
  for (const words of [
    ["memory", "add", "E001", "-"],
    ["task", "block", "T001", "-"],
  ]) {
    expect((await test.run(words, long)).exitCode, words.join(" ")).toBe(2);
  }
  expect((await test.json(["task", "show", "T001"])).status).toBe("Not Started");
});
