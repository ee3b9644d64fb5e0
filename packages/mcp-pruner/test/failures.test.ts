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
