// opencode as a person starts it, with the settings that its user's home holds.
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkRun } from "./agent.ts";
import { type CommandLineRun, runCommandLine } from "./command-line.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import type { Conversation } from "./scripted-model.ts";

const require = createRequire(import.meta.url);
const BIN = join(dirname(require.resolve("opencode-ai/package.json")), "bin", "opencode.exe");

export async function runOpencode({ prompt, script, cwd, env, args = [] }: CommandLineRun): Promise<Conversation> {
  const model = await startFakeAnthropic(script);
  try {
    const size = { limit: { context: 200_000, output: 8_000 } };
    const config = {
      ...{ model: "fake/fake", small_model: "fake/small", autoupdate: false, share: "disabled" },
      provider: {
        fake: {
          npm: "@ai-sdk/anthropic",
          name: "fake",
          options: { baseURL: `${model.origin}/v1`, apiKey: "x" },
          models: { fake: { name: "fake", ...size }, small: { name: "small", ...size } },
        },
      },
    };
    // With any plugin opencode waits for an npm package of its own, which it cannot get here: it should not try again.
    await writeFile(join(env.HOME ?? "", ".npmrc"), "fetch-retries=0\nregistry=http://127.0.0.1:9/\n");
    const offline = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
    const failure = await runCommandLine(BIN, ["run", ...args, prompt], { cwd, env: { ...env, ...offline } });
    return checkRun(model, failure && `opencode ${failure}`);
  } finally {
    await model.close();
  }
}
