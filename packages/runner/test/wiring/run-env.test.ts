import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createCodexProvider } from "../../src/providers/codexSdk.ts";
import { toAgentEnv } from "../../src/wiring/run-env.ts";

it("an agent that is a script does not start the project's own ./bin/node", async () => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "jeeves-run-env-")));
  try {
    const script = async (path: string, text: string) => {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
      await chmod(join(dir, path), 0o755);
    };
    await script("bin/node", `#!/bin/sh\necho project >> ${dir}/started\n`);
    await script(
      "away/codex",
      `#!/usr/bin/env node\nrequire("node:fs").appendFileSync("${dir}/started", "agent\\n");\n`,
    );
    const PATH = ["bin", join(dir, "away"), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
    const env = toAgentEnv({ PATH, HOME: dir }, { id: "run_1", areHooksOff: false });
    const options = { cwd: dir, env, signal: new AbortController().signal };
    for await (const _ of createCodexProvider().run("say hi", options));
    expect(await readFile(join(dir, "started"), "utf8")).toBe("agent\n");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
