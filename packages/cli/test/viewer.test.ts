// `jeeves viewer`, the built bin as a real child: what it prints, a port that is taken, the end; and that it writes nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));

async function makeDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "jeeves-viewer-bin-")));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function start(dir: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(process.execPath, [JEEVES, "viewer", ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH ?? "", HOME: dir, TMPDIR: dir, JEEVES_STATE_DIR: join(dir, "state"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { stdout: "", stderr: "" };
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  const address = new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said.stdout += text;
      if (said.stdout.includes("\n")) resolve(said.stdout.trim());
    });
    child.once("close", (code) => reject(new Error(`it ended with ${code}: ${said.stderr}`)));
  });
  return { child, said, address };
}

describe("jeeves viewer", () => {
  it("prints one address, shows the page there, ends with a signal, and has written nothing", async () => {
    const dir = await makeDir();
    const { child, said, address } = start(dir, ["--port", "0"]);
    const [url = "", token] = (await address).split("#token=");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await (await fetch(url)).text()).toContain("<title>Jeeves</title>");
    for (const path of ["api/runs", "api/savings", "api/haven"]) expect((await fetch(url + path)).status).toBe(200);
    const cut = await fetch(`${url}api/try`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "const port = 8080;\n".repeat(200), focus: "port", keep: 0.2 }),
    });
    expect(await cut.json()).toMatchObject({ lineCount: 200, kind: "code" });
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect([code, said.stderr]).toEqual([0, ""]);
    expect(await readdir(dir)).toEqual([]);
  });

  it("X-15 Bad input: a token that no header can carry is refused in words, and not shown", async () => {
    const { address } = start(await makeDir(), ["--port", "0"], { JEEVES_TOKEN: "open sesame" });
    const refusal: unknown = await address.catch((error) => error);
    expect(String(refusal)).toContain("it ended with 1: jeeves: JEEVES_TOKEN: expected visible ASCII characters");
    expect(String(refusal)).not.toContain("sesame");
  });

  it("Bad input: a host that is not of this machine is said, and another port is no advice", async () => {
    const { address } = start(await makeDir(), ["--host", "203.0.113.5"]);
    const refusal: unknown = await address.catch((error) => error);
    expect(String(refusal)).toContain("the host is no address of this machine");
    expect(String(refusal)).not.toContain("--port 0");
  });

  it("Bad input: an empty host is none", async () => {
    const { address } = start(await makeDir(), ["--host", ""]);
    const refusal: unknown = await address.catch((error) => error);
    expect(String(refusal)).toContain("An address or a name");
  });

  it("Bad input: a port in use: the next free one, said", async () => {
    const dir = await makeDir();
    const first = new URL(await start(dir, ["--port", "0"]).address);
    const second = start(dir, ["--port", first.port]);
    const url = new URL(await second.address);
    expect(Number(url.port)).toBeGreaterThan(Number(first.port));
    expect(second.said.stderr).toContain(`127.0.0.1:${first.port} is in use`);
    expect(second.said.stderr).toContain(`; using port ${url.port}`);
  });
});
