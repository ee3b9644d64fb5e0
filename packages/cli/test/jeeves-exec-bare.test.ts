// Without Perl, as on a system that has none, a command under jeeves-exec is the bare command: nothing is held or cut.
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { bare, dir, EXEC, envOf, file } from "./jeeves-exec-given.ts";

file("long.log", `${Array.from({ length: 4_000 }, (_, i) => ` ✓ case ${i} takes ${i % 13}ms`).join("\n")}\n`);

it.each([
  "cat long.log; exit 3",
  "cat long.log >&2; printf unfinished",
  'read -r line; echo "$line"; kill -9 $$',
  "setsid sh -c 'echo left' & wait",
])("X-62 without Perl output, exit code and signal are the bare command's: %s", (command) => {
  const env = envOf({ JEEVES_TEST_HIDE: "perl" });
  const { status, signal, stdout, stderr } = spawnSync(EXEC, ["--client=claude-code", command], {
    cwd: dir,
    env,
    input: "typed\n",
    maxBuffer: 1 << 28,
  });
  expect({ status, signal, stdout, stderr }).toEqual(bare(command, { input: "typed\n" }));
});
