// How long jeeves-exec waits for its cut: by what Node does, because the time that it takes depends on the whole machine.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { describe, expect, it } from "vitest";
import { bare, dir, file, run } from "./jeeves-exec-given.ts";

const lines = Array.from({ length: 3_000 }, (_, i) => ` ✓ test/area-${i % 23}.test.ts > case ${i} takes ${i % 13}ms`);
const command = `cat ${file("run.log", [...lines, " FAIL  test/login.test.ts > login", ""].join("\n"))}`;

function nodeThat(name: string, script: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

describe.runIf(existsSync(PROC))("X-60 a Node that works", () => {
  it("was given up when its time was over: a busy machine showed a large output whole", () => {
    const slow = `i=0\nwhile [ $i -lt 1500000 ]; do i=$((i + 1)); done\nexec "${process.execPath}" "$@"`;
    const env = { JEEVES_NODE: nodeThat("slow-node", slow), JEEVES_EXEC_CUT_MS: "600" };
    const shown = run(command, { env }).stdout.toString();
    expect(shown.length).toBeLessThan(2_000);
    expect(shown).toBe(run(command).stdout.toString());
  });

  it("and never ends is given up when it has used its share of a processor: everything is shown", () => {
    const JEEVES_NODE = nodeThat("endless-node", "while :; do :; done");
    const env = { JEEVES_NODE, JEEVES_EXEC_CUT_MS: "300", JEEVES_EXEC_WORK_MS: "300" };
    expect(run(command, { env })).toEqual(bare(command));
  });
});
