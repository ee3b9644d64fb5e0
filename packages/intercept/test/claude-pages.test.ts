// Claude Code's WebFetch and Glob: the shapes that versions 2.1.197 and 2.1.325 were seen to send.
import { afterEach, expect, it } from "vitest";
import { given } from "./given.ts";

const made: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

async function start() {
  const one = await given();
  made.push(one);
  const after = async (tool: string, input: object, response: unknown) => {
    const event = { hook_event_name: "PostToolUse", tool_name: tool, tool_input: input, tool_response: response };
    const answer = await one.handle(event);
    return answer?.kind === "replace" ? answer.output : undefined;
  };
  return { ...one, after };
}

/** A manual of some 60 kB, which Claude Code shows as a preview of its first 2 kB. */
const SECTIONS = Array.from({ length: 400 }, (_, i) =>
  [
    i === 311 ? "## Limits of vouchers" : `## Part ${i} of the manual`,
    "",
    i === 311
      ? "The voucher limit is 4,200 cents; it is checked where a basket is closed."
      : `Words about thing ${i}, which belongs to area ${i % 9} and has ${i * 3} of its own kind beside it here.`,
    "",
  ].join("\n"),
);
const PAGE = SECTIONS.join("\n");

const fetched = (result: string) => ({
  ...{ bytes: result.length, code: 200, codeText: "OK", result },
  ...{ durationMs: 139, url: "https://docs.example.org/manual.md" },
});
const input = { url: "https://docs.example.org/manual.md", prompt: "What is the voucher limit?" };

it("X-51 a page that WebFetch brought keeps what its prompt asks for, in its own shape", async () => {
  const { after, meterKinds } = await start();
  const output = await after("WebFetch", input, fetched(PAGE));
  expect(output).toMatchObject({ code: 200, codeText: "OK", bytes: PAGE.length, url: input.url });
  const { result } = output as { result: string };
  expect(result).toContain("The voucher limit is 4,200 cents");
  expect(result).toMatch(/⟦… \d+ lines/);
  expect(result).toMatch(/\[(?:weak match; )?rest: .*prn_/);
  expect(result.length).toBeLessThan(PAGE.length / 2);
  expect(await meterKinds()).toContain("cut");
});

it("what WebFetch's small model said, and a form that is not known, stay as they are", async () => {
  const { after, unknownShapes } = await start();
  expect(await after("WebFetch", input, fetched("The limit is 4,200 cents."))).toBeUndefined();
  expect(await after("WebFetch", input, { code: 200, pages: [PAGE] })).toBeUndefined();
  expect(unknownShapes).toEqual([]);
  expect(await after("WebFetch", input, PAGE)).toBeUndefined();
  expect(unknownShapes).toEqual(["WebFetch"]);
});

const found = (filenames: readonly unknown[]) => ({
  ...{ filenames, durationMs: 16, numFiles: filenames.length },
  ...{ truncated: true, totalMatches: 150, countIsComplete: true },
});
const FILES = Array.from(
  { length: 100 },
  (_, i) =>
    `packages/area-${i % 5}/src/features/orders-and-invoices/components/details/view-of-thing-number-${i}.component.ts`,
);

it("X-58 a Glob of a hundred files names every file by its directory, and keeps the client's own counts", async () => {
  const { after } = await start();
  const output = await after("Glob", { pattern: "**/*.ts" }, found(FILES));
  expect(output).toMatchObject({ numFiles: 100, truncated: true, totalMatches: 150 });
  const { filenames } = output as { filenames: string[] };
  const shown = filenames.join("\n");
  const named = filenames.flatMap((row) => {
    const [, dir = "", names = ""] = /^(\S+\/): (.+)$/.exec(row) ?? [];
    return names === "" ? [] : names.split(", ").map((name) => `${dir}${name}`);
  });
  expect(named.sort()).toEqual([...FILES].sort());
  expect(shown).toContain("[100 files, by directory]");
  expect(shown).toMatch(/\[rest: .*prn_[a-z2-7]{12}/);
  expect(shown.length).toBeLessThan(FILES.join("\n").length * 0.6);
});

it("a short Glob, and one that is not a list of names, stay as they are", async () => {
  const { after } = await start();
  expect(await after("Glob", { pattern: "*" }, found(FILES.slice(0, 20)))).toBeUndefined();
  expect(await after("Glob", { pattern: "*" }, found([...FILES, 7]))).toBeUndefined();
  expect(await after("Glob", { pattern: "*" }, found([...FILES, "two\nlines"]))).toBeUndefined();
});
