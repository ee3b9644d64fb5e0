import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { findCodex } from "../../src/process/find-agent.ts";
import { makeTempDir } from "../scratch.ts";

it("an entry of the PATH that cannot be looked into is passed by", async () => {
  const cwd = await makeTempDir();
  await symlink("loop", join(cwd, "loop"));
  const bin = join(cwd, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "codex"), "#!/bin/sh\n");
  await chmod(join(bin, "codex"), 0o755);
  const PATH = [join(cwd, "loop"), join(cwd, "x".repeat(300)), bin].join(delimiter);
  expect(await findCodex({ cwd, env: { PATH } })).toEqual({ command: join(bin, "codex"), args: [] });
});
