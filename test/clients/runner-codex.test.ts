import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeOpenAi } from "./fake-openai.ts";
import { describeRunner } from "./runner-suite.ts";

const BIN = fileURLToPath(new URL("./node_modules/.bin", import.meta.url));

describeRunner({
  provider: "codex",
  findTools: () => [],
  startModel: startFakeOpenAi,
  async prepare(home, origin) {
    const codexHome = join(home, ".codex");
    await mkdir(codexHome, { recursive: true });
    const config = [
      'model = "fake-model"',
      'model_provider = "fake"',
      "check_for_update_on_startup = false",
      "[analytics]",
      "enabled = false",
      "[model_providers.fake]",
      'name = "fake"',
      `base_url = ${JSON.stringify(`${origin}/v1`)}`,
      'wire_api = "responses"',
      'env_key = "FAKE_KEY"',
    ];
    await writeFile(join(codexHome, "config.toml"), `${config.join("\n")}\n`);
    return { CODEX_HOME: codexHome, FAKE_KEY: "x", PATH: `${BIN}:${process.env.PATH}` };
  },
});
