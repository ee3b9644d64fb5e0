// Copilot CLI as a person starts it, with a model of the user's own in the place of GitHub's.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkRun } from "./agent.ts";
import { type CommandLineRun, runCommandLine } from "./command-line.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import type { Conversation } from "./scripted-model.ts";

const require = createRequire(import.meta.url);
const BIN = join(dirname(require.resolve("@github/copilot/package.json")), "npm-loader.js");

export async function runCopilot({ prompt, script, cwd, env, args = [] }: CommandLineRun): Promise<Conversation> {
  const model = await startFakeAnthropic(script);
  try {
    const offline = {
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_TYPE: "anthropic",
      COPILOT_PROVIDER_BASE_URL: model.origin,
      COPILOT_PROVIDER_API_KEY: "x",
      COPILOT_MODEL: "claude-sonnet-4",
    };
    const words = [BIN, "-p", prompt, ...args];
    const failure = await runCommandLine(process.execPath, words, { cwd, env: { ...env, ...offline } });
    return checkRun(model, failure && `copilot ${failure}`);
  } finally {
    await model.close();
  }
}
