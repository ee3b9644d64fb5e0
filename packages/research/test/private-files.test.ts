// a root that holds the state directory: stored texts of other projects and the token are never named or quoted.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDiskStore } from "@jeeves/state";
import { expect, it } from "vitest";
import { loadSettings } from "../src/load-settings.ts";
import { referencesOf } from "../src/report/artifact.ts";
import { createResearcher } from "../src/researcher.ts";
import { makeTempDir } from "./made-project.ts";

it("X-61 stored texts and the token below a root are neither named nor quoted", async () => {
  const home = await makeTempDir();
  try {
    const env = { JEEVES_STATE_DIR: join(home.path, "state [1]"), TMPDIR: join(home.path, "tmp") };
    const code = "def open_vault(owner):\n    return load_record(owner)\n";
    await createDiskStore({ env }).put({ text: `# other project\n${code}`, focus: "", options: {}, project: "/other" });
    await writeFile(join(env.JEEVES_STATE_DIR, "token"), "open_vault token\n");
    await mkdir(join(home.path, "src"));
    await writeFile(join(home.path, "src", "vault.py"), code);
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: home.path, roots: [home.path] });
    const researcher = createResearcher({ settings, env });
    const { roots } = researcher.choose(undefined);
    const question = "Where is `open_vault` defined, in state/token or in a stored text?";
    const answer = await researcher.research({ question, roots, constraints: {}, signal: AbortSignal.timeout(60_000) });
    await researcher.close();
    const references = referencesOf(answer).join(" ");
    expect(references).toContain("src/vault.py:1");
    expect(references).not.toMatch(/state/);
    expect(JSON.stringify(answer)).not.toMatch(/prn_|other project/);
  } finally {
    await home.remove();
  }
});
