// The settings with which a real client talks to a scripted model on this machine, and to no other host.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the clients' launchers are. */
export const CLIENTS_BIN = fileURLToPath(new URL("./node_modules/.bin", import.meta.url));

/** Claude Code waits 5 s for servers and then asks the model without them: on a busy machine a first read was uncut. */
export const PATIENT_CLAUDE = {
  MCP_CONNECTION_NONBLOCKING: "0",
  MCP_CONNECT_TIMEOUT_MS: "60000",
  MCP_TIMEOUT: "60000",
};

export function offlineClaude(configDir: string, origin: string): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: configDir,
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_API_KEY: "x",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

/** Writes Codex' config.toml: `own` are lines before the first table, `tables` whole tables. */
export async function offlineCodex(
  codexHome: string,
  origin: string,
  { own = [], tables = [] }: { readonly own?: readonly string[]; readonly tables?: readonly string[] } = {},
): Promise<Record<string, string>> {
  const config = [
    'model = "fake-model"',
    'model_provider = "fake"',
    "check_for_update_on_startup = false",
    ...own,
    "[analytics]",
    "enabled = false",
    "[model_providers.fake]",
    'name = "fake"',
    `base_url = ${JSON.stringify(`${origin}/v1`)}`,
    'wire_api = "responses"',
    'env_key = "FAKE_KEY"',
    ...tables,
  ];
  await mkdir(codexHome, { recursive: true });
  await writeFile(join(codexHome, "config.toml"), `${config.join("\n")}\n`);
  return { CODEX_HOME: codexHome, FAKE_KEY: "x" };
}
