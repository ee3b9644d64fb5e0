// `jeeves up` on the built bin: one process with everything, what it says, who may have it, and how it ends.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tellsPeers } from "../../kit/test/http/other-user.ts";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));

const CLONE = fileURLToPath(new URL("../../..", import.meta.url));

let dir: string;
let project: string;
const started = new Set<() => Promise<unknown>>();

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-up-"));
  project = join(dir, "project");
  mkdirSync(project);
  writeFileSync(join(project, "port.js"), "export function choosePort(env) {\n  return Number(env.PORT) || 8006;\n}\n");
});
afterEach(async () => {
  for (const stop of started) await stop();
  started.clear();
  rmSync(dir, { recursive: true, force: true });
});

function launch(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BIN, "up", ...args], {
    cwd: project,
    env: { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part) => {
    said.out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    said.err += part;
  });
  const exit = once(child, "close").then(([code]) => ({ code, ...said }));
  started.add(() => {
    child.kill("SIGKILL");
    return exit;
  });
  return { child, exit, said };
}

async function up(args: readonly string[] = ["--port", "0", "--page-port", "0"], env = {}) {
  const { child, exit, said } = launch(args, env);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", () => {
      if (said.out.includes("Ctrl-C")) resolve();
    });
    void exit.then(({ err }) => reject(new Error(err)));
  });
  const page = /^ {2}(http:\S+) {2}the page/m.exec(said.out)?.[1] ?? "";
  const services = /^ {2}(http:\S+)\/mcp /m.exec(said.out)?.[1] ?? "";
  return { child, exit, said, page, services };
}

async function toolsAt(url: string): Promise<readonly string[]> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    return (await client.listTools()).tools.map((tool) => tool.name);
  } finally {
    await client.close();
  }
}

describe("jeeves up", () => {
  // Asked without a token: the user is known by the uid.
  it.runIf(tellsPeers)(
    "serves the page, the tools, research, the haven and the text pruner, and ends with 0",
    async () => {
      const { child, exit, page, services, said } = await up();
      const answered = await fetch(page);
      expect(answered.status).toBe(200);
      expect(answered.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(await answered.text()).toContain("<title>");
      expect(await toolsAt(`${services}/mcp`)).toEqual(expect.arrayContaining(["read", "grep", "recover_text"]));
      expect(await toolsAt(`${services}/research`)).toContain("research_codebase");
      expect(await toolsAt(`${services}/rudder`)).toContain("assign_claim");
      const rpc = await fetch(`${services}/rpc`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "health" }),
      });
      expect(await rpc.json()).toMatchObject({ result: { status: "healthy" } });
      expect(said.out).toContain(`for ${project}`);
      child.kill("SIGTERM");
      expect(await exit).toMatchObject({ code: 0, err: "" });
      expect(readdirSync(join(dir, "state", "up")).filter((name) => name.endsWith(".json"))).toEqual([]);
    },
  );

  it.each<[string, (path: string) => void]>([
    ["a pipe", (path) => execFileSync("mkfifo", [path])],
    ["a directory", (path) => mkdirSync(join(path, "mine"), { recursive: true })],
    ["an endless device", (path) => symlinkSync("/dev/zero", path)],
  ])("X-60 %s in the place of its record costs a warning", async (_, make) => {
    const hash = createHash("sha256").update(realpathSync(project)).digest("hex").slice(0, 16);
    mkdirSync(join(dir, "state", "up"), { recursive: true });
    make(join(dir, "state", "up", `${hash}.json`));
    const { child, exit, page } = await up();
    expect((await fetch(page)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await exit).toMatchObject({ code: 0, err: expect.stringContaining("up.record_failed") });
  });

  it.runIf(tellsPeers)("the tools see the project and nothing beside it", async () => {
    writeFileSync(join(dir, "secret.txt"), "beside\n");
    const { services } = await up();
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${services}/mcp`)));
    const read = (file_path: string) => client.callTool({ name: "read", arguments: { file_path } });
    expect(JSON.stringify(await read("port.js"))).toContain("choosePort");
    expect(JSON.stringify(await read("../secret.txt").catch(String))).not.toContain("beside");
    await client.close();
  });

  it("a second one in the same project says who serves it and where, and ends with 0", async () => {
    const first = await up();
    const second = await launch([]).exit;
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toContain(`process ${first.child.pid}`);
    expect(second.out).toContain(first.page);
    expect(first.page).toMatch(/#token=[\w-]{43}$/);
    const records = join(dir, "state", "up");
    const [record = ""] = readdirSync(records).filter((name) => name.endsWith(".json"));
    expect(statSync(join(records, record)).mode & 0o777).toBe(0o600); // X-55: it has the token
    expect(second.out).toContain(first.services);
  });

  it("the record of one that was killed stops no other", async () => {
    const first = await up();
    first.child.kill("SIGKILL");
    await first.exit;
    const second = await up();
    expect((await fetch(second.page)).status).toBe(200);
  });

  it("takes the next free port where one is taken, and says so", async () => {
    const holder = createServer();
    holder.listen(0, "127.0.0.1");
    await once(holder, "listening");
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const { services, said } = await up(["--port", String(port), "--page-port", String(port)]);
      expect(services).not.toContain(`:${port}`);
      expect(said.out).toContain(`; using port ${new URL(services).port}\n`);
      expect((await fetch(`${services}/health`)).status).toBe(200);
      expect(said.out).toContain(`${port} is in use by ${tellsPeers ? `pid ${process.pid}` : ""}`);
    } finally {
      holder.close();
    }
  });

  it("names the clients that are here with the line that connects each", async () => {
    const bin = join(dir, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "codex"), "#!/bin/sh\necho codex-cli 0.166.0\n");
    chmodSync(join(bin, "codex"), 0o755);
    mkdirSync(join(dir, ".lmstudio"));
    writeFileSync(join(dir, ".lmstudio", "mcp.json"), '{"mcpServers":{"x":{"args":["/a/mcp-pruner/dist/index.js"]}}}');
    const { said } = await up(undefined, { PATH: bin });
    expect(said.out).toMatch(/Codex +jeeves init codex/);
    expect(said.out).toMatch(/LM Studio +connected/);
    expect(said.out).not.toContain("Claude Code");
  });

  it("X-55 --open hands the page's address to the browser in a file that only its owner can read", async () => {
    const opener = join(dir, "opener");
    writeFileSync(
      opener,
      `#!/bin/sh\nprintf %s "$1" > '${join(dir, "opened.part")}'\nmv '${join(dir, "opened.part")}' '${join(dir, "opened")}'\n`,
    );
    chmodSync(opener, 0o755);
    const { child, exit, page } = await up(["--port", "0", "--page-port", "0", "--open"], { BROWSER: opener });
    await expect.poll(() => readdirSync(dir), { timeout: 20_000 }).toContain("opened");
    // Every user can read the arguments of a process: the token is not among them.
    const file = fileURLToPath(readFileSync(join(dir, "opened"), "utf8"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toContain(`content="0; url=${page}"`);
    expect(page).toMatch(/#token=[\w-]{43}$/);
    child.kill("SIGTERM");
    await exit;
    expect(existsSync(file)).toBe(false);
  });

  it("npm start is this in the caller's directory, and ends with npm, however npm ends", async () => {
    const words = ["--prefix", CLONE, "start", "--silent", "--", "up", "--port", "0", "--page-port", "0"];
    const env = { PATH: process.env.PATH ?? "", HOME: dir, JEEVES_STATE_DIR: join(dir, "state") };
    const npm = spawn("npm", words, { cwd: project, env, stdio: ["ignore", "pipe", "ignore"] });
    let out = "";
    npm.stdout.setEncoding("utf8").on("data", (part) => {
      out += part;
    });
    try {
      await expect.poll(() => out, { timeout: 60_000 }).toContain("Ctrl-C");
      expect(out).toContain(`for ${project}`);
    } finally {
      npm.kill("SIGTERM");
    }
    const page = /^ {2}(http:\S+) {2}the page/m.exec(out)?.[1] ?? "";
    const answers = () =>
      fetch(page).then(
        () => true,
        () => false,
      );
    await expect.poll(answers, { timeout: 30_000 }).toBe(false);
  });

  it.each([
    [["--port", "99999"], "65535"],
    [["--page-port", "x"], "65535"],
    [["--root", "nowhere"], "not a directory"],
  ])("%j is refused with what would be right", async (args, words) => {
    const { code, err } = await launch(args).exit;
    expect(code).not.toBe(0);
    expect(err).toContain(words);
  });
});
