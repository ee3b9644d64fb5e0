// The question of `jeeves uninstall`; what it does without a terminal is in test/uninstall.test.ts.
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { uninstall } from "../src/uninstall/uninstall.ts";
import { at, jeeves, put } from "./init-given.ts";

it.each([true, false])(
  "X-62 on a terminal it asks before it removes the state, and only about that: %s",
  async (answer) => {
    put("home/.local/state/jeeves/store/aa/text", "stored");
    expect(jeeves("init", "gemini").status).toBe(0);
    const asked: string[] = [];
    const code = await uninstall(
      {},
      {
        env: { PATH: process.env.PATH, HOME: at("home"), TMPDIR: at("tmp") },
        cwd: at("project"),
        out: () => {},
        warn: (line) => expect.unreachable(line),
        async ask(question) {
          asked.push(question);
          return answer;
        },
      },
    );
    expect(code).toBe(0);
    expect(asked).toEqual([`Remove stored texts, runs and the meter in ${at("home/.local/state/jeeves")}?`]);
    expect(existsSync(at("home/.local/state/jeeves"))).toBe(!answer);
    expect(existsSync(at("home/.local/share/jeeves"))).toBe(false);
    expect(existsSync(at("home/.gemini"))).toBe(false);
  },
);

it("a plugin went on cutting after an uninstall that did not name it", () => {
  put("home/.gemini/extensions/jeeves/gemini-extension.json", "{}");
  const words = "Gemini CLI keeps the plugin jeeves, which goes on: gemini extensions uninstall jeeves\n";
  expect(jeeves("uninstall")).toEqual({ status: 0, stdout: `nothing to do in the settings\n${words}`, stderr: "" });
  expect(jeeves("init", "opencode").status).toBe(0);
  expect(jeeves("uninstall", "--dry-run").stdout).toContain(words);
  expect(jeeves("uninstall", "--yes").stdout).toContain(words);
});
