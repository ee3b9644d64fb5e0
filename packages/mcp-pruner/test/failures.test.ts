// X-59 through the tools: one failed test among hundreds of lines stays, whatever the file is called that holds them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer } from "./server-under-test.ts";

const FAILED = "FAILED tests/test_orders.py::test_total - assert 3 == 4: boom";
const lines = Array.from({ length: 1200 }, (_, i) => `step ${i}: copied the parts of order ${i * 7} to the archive`);
const text = `${[...lines.slice(0, 700), FAILED, ...lines.slice(700)].join("\n")}\n`;
const context_focus_question = "how is the configuration loaded?";
const NAMES = ["out.txt", "out.md", "out.json", "out.out", "out.log", "out.csv", "out.py", "out"];

let server: Server;
beforeAll(async () => {
  server = await startServer();
  for (const name of NAMES) await writeFile(join(server.root, name), text);
});
afterAll(() => server.stop());

describe.each(NAMES)("X-59 %s", (name) => {
  it("read keeps the failure and cuts the rest", async () => {
    const { structuredContent } = await server.call("read", { file_path: name, context_focus_question });
    expect(structuredContent.pruning.applied).toBe(true);
    expect(structuredContent.content).toContain(FAILED);
    expect(structuredContent.content.length).toBeLessThan(text.length / 4);
  });

  it("bash keeps it where the command succeeds", async () => {
    const { structuredContent } = await server.call("bash", { command: `cat ${name}`, context_focus_question });
    expect(structuredContent.pruning.applied).toBe(true);
    expect(structuredContent.stdout).toContain(FAILED);
  });

  it("grep keeps it among the matches", async () => {
    const asked = {
      pattern: "order",
      path: name,
      max_matches: 2000,
      context_focus_question: "which part of order 4207 was copied?",
    };
    const { structuredContent } = await server.call("grep", asked);
    expect(JSON.stringify(structuredContent)).toContain("boom");
  });
});

describe("X-51 X-59 a text that is too long for its client, without a question", () => {
  const long = Array.from({ length: 6000 }, (_, i) => `${i}: copied the parts of order ${i * 7} to the archive`);
  const whole = `${[...long.slice(0, 3000), FAILED, ...long.slice(3000)].join("\n")}\n`;

  it.each(["claude-code", "codex-mcp-client"])(
    "%s is shown the failure in its middle, and the way to the rest",
    async (clientName) => {
      const other = await startServer({ clientName, env: { JEEVES_RESULT_FORM: "both" } });
      try {
        await writeFile(join(other.root, "out.log"), whole);
        const calls = {
          read: { file_path: "out.log" },
          bash: { command: "cat out.log" },
        };
        for (const [tool, args] of Object.entries(calls)) {
          const { content, structuredContent } = await other.call(tool, args);
          expect(content[0].text).toContain(FAILED);
          expect(content[0].text).toContain(long[0]);
          expect(structuredContent.truncated).toBe(true);
          expect(structuredContent.pruning).toMatchObject({ applied: false, reason: "no_focus_question" });
          const { prune_id } = structuredContent.pruning;
          expect(content[0].text).toContain(prune_id);
          const back = await other.call("recover_text", { prune_id, ranges: [{ start_line: 2999, end_line: 3003 }] });
          expect(back.content[0].text).toBe([...long.slice(2998, 3000), FAILED, ...long.slice(3000, 3002)].join("\n"));
        }
        const failed = await other.call("bash", { command: "cat out.log; exit 1" });
        expect(failed.content[0].text).toContain(FAILED);
        expect(failed.content[0].text).toContain(long.at(-1));
      } finally {
        await other.stop();
      }
    },
  );

  it("of thousands of errors those that the question is about are shown", async () => {
    const errors = Array.from(
      { length: 2500 },
      (_, i) => `ERROR worker ${i} lost order ${i * 13} of shop ${i % 7}: retry later`,
    );
    const block = ["=== FAILURES ===", "___ test_refund ___", "E   assert 3 == 4", FAILED];
    const other = await startServer({ clientName: "claude-code", env: { JEEVES_RESULT_FORM: "both" } });
    try {
      await writeFile(
        join(other.root, "out.log"),
        [...errors.slice(0, 1250), ...block, ...errors.slice(1250)].join("\n"),
      );
      const asked = { file_path: "out.log", context_focus_question: "why does the refund test fail?" };
      expect((await other.call("read", asked)).content[0].text).toContain("___ test_refund ___");
    } finally {
      await other.stop();
    }
  });
});
