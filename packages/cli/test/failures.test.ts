// X-59 on the command line: `jeeves prune FILE` and `jeeves-exec 'cat FILE'` keep a failed test, whatever FILE is called.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { dir, envOf, file, run } from "./jeeves-exec-given.ts";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
const FAILED = "FAILED tests/test_orders.py::test_total - assert 3 == 4: boom";
const lines = Array.from({ length: 1200 }, (_, i) => `step ${i}: copied the parts of order ${i * 7} to the archive`);
const text = `${[...lines.slice(0, 700), FAILED, ...lines.slice(700)].join("\n")}\n`;

describe.each(["out.txt", "out.md", "out.json", "out.py", "out"])("X-59 %s", (name) => {
  file(name, text);

  it("jeeves prune", () => {
    const args = ["prune", name, "--focus", "how is the configuration loaded?", "--keep", "0.05"];
    const { stdout } = spawnSync(process.execPath, [BIN, ...args], { cwd: dir, env: envOf(), encoding: "utf8" });
    expect(stdout).toContain(FAILED);
    expect(stdout.length).toBeLessThan(text.length / 4);
  });

  it("jeeves-exec", () => {
    const shown = run(`cat ${name}`).stdout.toString();
    expect(shown).toContain(FAILED);
    expect(shown.length).toBeLessThan(text.length / 4);
  });
});
