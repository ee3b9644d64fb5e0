// opencode and Gemini CLI, set up by `jeeves init` alone: each starts our server by itself and asks for its tools, and
// --remove leaves its settings byte for byte as they were.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientEnv } from "./agent.ts";
import { createInterceptProject, type InterceptProject } from "./intercept-project.ts";

const require = createRequire(import.meta.url);
const packageDir = (name: string) => dirname(require.resolve(`${name}/package.json`));

const CLIENTS = [
  {
    client: "opencode",
    command: () => [join(packageDir("opencode-ai"), "bin", "opencode.exe")],
    settings: join(".config", "opencode", "opencode.json"),
    connected: /✓ jeeves .*connected/,
  },
  {
    client: "gemini",
    command: () => [process.execPath, join(packageDir("@google/gemini-cli"), "bundle", "gemini.js")],
    settings: join(".gemini", "settings.json"),
    connected: /✓ jeeves: .*Connected/,
  },
];

describe.each(CLIENTS)("$client", ({ client, command, settings, connected }) => {
  const own = '{ "mine":1 }\n';
  let project: InterceptProject;
  let env: Record<string, string>;
  let path: string;

  beforeAll(async () => {
    project = await createInterceptProject();
    env = { ...(await createClientEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    path = join(project.home, settings);
    // Gemini starts no server in a directory that its user has not called trusted.
    await mkdir(join(project.home, ".gemini"));
    const trusted = JSON.stringify({ [project.root]: "TRUST_FOLDER" });
    await writeFile(join(project.home, ".gemini", "trustedFolders.json"), trusted);
  });
  afterAll(() => project?.remove());

  it("starts our server from the settings that jeeves init wrote", async () => {
    project.jeeves(["init", client, "--both"], env);
    const [file = "", ...args] = command();
    const { stdout, stderr } = await promisify(execFile)(file, [...args, "mcp", "list"], {
      cwd: project.root,
      env,
      timeout: 100_000,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    expect(`${stdout}${stderr}`.replace(/\x1b\[\d*m/g, "")).toMatch(connected);
    project.jeeves(["init", client, "--remove"], env);
    // opencode adds a line of its own to the file, which then is its own.
    expect(existsSync(path) ? readFileSync(path, "utf8") : "").not.toContain("jeeves");
  });

  it("--remove leaves the settings byte for byte as they were", async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, own);
    project.jeeves(["init", client, "--both"], env);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ mine: 1 });
    project.jeeves(["init", client, "--remove"], env);
    expect(readFileSync(path, "utf8")).toBe(own);
  });
});
