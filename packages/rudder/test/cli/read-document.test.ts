// What a command reads from stdin or a pipe.
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { readBounded } from "../../src/cli/read-document.ts";

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
