import { traitsOf } from "@jeeves/base";
import { expect, it } from "vitest";
import { clientView } from "../../src/show/client-view.ts";

const claude = traitsOf("claude-code");
const text = (chars: number) => "0123456789".repeat(chars / 10);

it("X-57 what fits is shown as it is, and by a client that we do not know everything is", () => {
  expect(clientView(text(30_000), claude, "command")).toBe(text(30_000));
  expect(clientView(text(500_000), undefined, "command")).toBe(text(500_000));
  expect(clientView(text(500_000), traitsOf("lm-studio"), "result")).toBe(text(500_000));
});

it("X-57 Claude Code shows 2,000 characters of a longer output and the name of a file", () => {
  const shown = clientView(text(30_010), claude, "command");
  expect(shown).toMatch(/^<persisted-output>\nOutput too large .*: \/.*\.txt\n\nPreview/);
  expect(shown.match(/[0-9]{500,}/)?.[0]).toBe(text(2_000));
  expect(shown.length).toBeLessThan(2_400);
});

it("X-57 of a failed command it shows both ends of the first 30,000 characters", () => {
  const output = `${"a".repeat(20_000)}${"b".repeat(10_000)}${"c".repeat(20_000)}`;
  const shown = clientView(output, claude, "failedCommand");
  expect(shown).toMatch(/^a{5000}\n\n\.\.\. \[\d+ characters truncated\] \.\.\.\n\nb{5000}$/);
  expect(shown).not.toContain("ccc");
});

it("X-57 Codex cuts the middle out of a command's output and of a result", () => {
  const codex = traitsOf("codex");
  for (const [thing, chars] of [
    ["command", 40_000],
    ["failedCommand", 40_000],
    ["result", 48_000],
  ] as const) {
    const shown = clientView(`${"a".repeat(50_000)}${"b".repeat(50_000)}`, codex, thing);
    expect(shown.match(/^Warning: truncated output .*\nTotal output lines: \d+\n\n(a+)…/)?.[1]).toHaveLength(chars / 2);
    expect(shown.match(/b+$/)?.[0]).toHaveLength(chars / 2);
  }
});

it("X-57 Codex cuts earlier for a model that is not of its own list", () => {
  const codex = traitsOf("codex");
  const lengthFor = (model: string) => clientView("q".repeat(100_000), codex, "command", model).match(/q/g)?.length;
  expect(["gpt-6.1-sol", "codex-auto-review", "a-local-model"].map(lengthFor)).toEqual([40_000, 40_000, 10_000]);
});

it("X-57 Gemini CLI shows the first 8,000 and the last 32,000 characters of an output", () => {
  const shown = clientView(`${"a".repeat(100_000)}${"b".repeat(100_000)}`, traitsOf("gemini"), "failedCommand");
  expect(shown.match(/\n(a+)\n/)?.[1]).toHaveLength(8_000);
  expect(shown.match(/b+$/)?.[0]).toHaveLength(32_000);
});

it("X-57 opencode shows the last 2,000 lines of a command, and the first of another server's result", () => {
  const opencode = traitsOf("opencode");
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`);
  const output = `${lines.join("\n")}\n`;
  const command = clientView(output, opencode, "command");
  expect(command).toMatch(/^\.\.\.output truncated\.\.\.\n/);
  expect(command.endsWith(`\n${lines.slice(-2_000).join("\n")}\n`)).toBe(true);
  expect(command).not.toContain("line 3000\n");
  const result = clientView(output, opencode, "result");
  expect(result.startsWith(`${lines.slice(0, 2_000).join("\n")}\n`)).toBe(true);
  expect(result).not.toContain("line 2001\n");
  expect(clientView(text(60_000), opencode, "result").match(/^[0-9]+/)?.[0]).toHaveLength(51_200);
});
