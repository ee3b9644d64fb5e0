// Two text pruners behind a plain proxy, as a team runs them: one database, no sticky sessions. One of the two is killed
// again and again; what either has cut, the other one brings back byte for byte. And one machine's cut on another.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { belongsTo, openRecoveryStore } from "../../packages/state/src/index.ts";
import { cuttingProxy } from "./cutting-proxy.ts";
import { freshUrl } from "./database-under-test.ts";
import { type Json, machineForTest } from "./machines.ts";

const PRUNER = fileURLToPath(new URL("../../packages/pruner-service/dist/jeeves-pruner.js", import.meta.url));
const CUTS = 24;

interface Pruner {
  readonly port: number;
  kill(): Promise<void>;
}

async function startPruner(url: string, dir: string): Promise<Pruner> {
  const child: ChildProcess = spawn(process.execPath, [PRUNER, "--port", "0"], {
    env: {
      PATH: process.env.PATH,
      HOME: dir,
      JEEVES_STATE_DIR: join(dir, "state"),
      TMPDIR: dir,
      JEEVES_DATABASE_URL: url,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      const found = /"port":(\d+)|127\.0\.0\.1:(\d+)/.exec(said);
      if (found !== null) resolve(Number(found[1] ?? found[2]));
    });
    child.once("close", () => reject(new Error(`the pruner ended: ${said}`)));
  });
  return {
    port,
    async kill() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

it("X-65 of two pruners behind a proxy each recovers what the other one has cut, while one is killed again and again", async () => {
  const url = await freshUrl();
  const dir = mkdtempSync(join(tmpdir(), "jeeves-pruners-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const homes = ["a", "b"].map((name) => join(dir, name));
  for (const home of homes) mkdirSync(home);
  const pruners = await Promise.all(homes.map((home) => startPruner(url, home)));
  onTestFinished(async () => {
    await Promise.all(pruners.map((pruner) => pruner.kill()));
  });
  let turn = 0;
  // As plain as a proxy is: to each in turn, and to the other one where one is not there.
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      turn += 1;
      for (let attempt = 0; attempt < 40; attempt++) {
        try {
          const { port } = pruners[(turn + attempt) % 2] ?? { port: 0 };
          const answer = await fetch(`http://127.0.0.1:${port}${request.url}`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: Buffer.concat(chunks),
          });
          return response.end(await answer.text());
        } catch {
          // Killed just now.
        }
      }
      return response.writeHead(502).end();
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const address = proxy.address();
  const at = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/rpc`;
  const call = async (name: string, args: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
    const answer: Json = await (
      await fetch(at, { method: "POST", headers: { "content-type": "application/json" }, body })
    ).json();
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    return JSON.parse(answer.result.content[0].text);
  };
  const cuts = new Map<string, string>();
  for (let n = 0; n < CUTS; n++) {
    if (n % 6 === 3) {
      const one = n % 12 === 3 ? 0 : 1;
      await pruners[one]?.kill();
      // It comes back with nothing of its own.
      rmSync(join(homes[one] ?? "", "state"), { recursive: true, force: true });
      pruners[one] = await startPruner(url, homes[one] ?? "");
    }
    const text = Array.from(
      { length: 60 },
      (_, line) => `cut ${n}, line ${line}: ${"word ".repeat(line % 7)}é€😀`,
    ).join("\n");
    const options = {
      max_prune_ratio: 0.6,
      min_keep_lines: 5,
      timeout_ms: 20_000,
      annotate_lines: false,
      include_markers: true,
    };
    const cut = await call("prune_text", { text, goal_hint: `line ${n}`, source_type: "logs", options });
    expect(cut.stats.used_fallback).toBe(false);
    cuts.set(cut.prune_id, text);
  }
  expect(cuts.size).toBe(CUTS);
  for (let pass = 0; pass < 2; pass++) {
    for (const [pruneId, text] of cuts) {
      const ranges = [{ start_line: 1, end_line: 60 }];
      const back = await call("recover_text", { prune_id: pruneId, ranges, include_line_numbers: false });
      expect(back.raw_text).toBe(text);
    }
    turn += 1; // the other one of the two answers now
  }
});

describe("one project on two machines", () => {
  const request = { text: "what a machine has cut\n".repeat(100), focus: "why", options: {} };
  const REMOTE = "https://ada:secret@git.example.org/team/shop.git";

  it("X-21 X-65 another machine of the project brings it back; each machine keeps its own file; others do not get it", async () => {
    const url = await freshUrl();
    const a = machineForTest(url, { remote: REMOTE });
    const b = machineForTest(url, { remote: "git@git.example.org:team/shop.git" });
    const stranger = machineForTest(url, { remote: "git@git.example.org:else/where.git" });
    const stored = await openRecoveryStore({ env: a.env }).put({ ...request, project: a.project });
    expect(readFileSync(stored.path ?? "", "utf8")).toBe(request.text);
    const there = await openRecoveryStore({ env: b.env }).get(stored.pruneId);
    expect(there?.text).toBe(request.text);
    expect(JSON.stringify(there?.projects)).not.toContain("secret");
    const isPart = async (): Promise<boolean> => false;
    const belongs = (project: string) => (there === undefined ? undefined : belongsTo(there, project, isPart));
    expect(await Promise.all([a, b, stranger].map(({ project }) => belongs(project)))).toEqual([true, true, false]);
    expect(existsSync(join(b.home, "state/store"))).toBe(false);
    expect((await openRecoveryStore({ env: b.env }).put({ ...request, project: b.project })).pruneId).toBe(
      stored.pruneId,
    );
  });

  it("X-65 a project known by two ids, one made later, has its texts under both", async () => {
    const url = await freshUrl();
    const a = machineForTest(url, { remote: REMOTE });
    const { pruneId } = await openRecoveryStore({ env: a.env }).put({ ...request, project: a.project });
    const later = machineForTest(url, { remote: REMOTE });
    writeFileSync(join(later.project, ".sailing/haven"), "0123456789ab\n");
    const store = openRecoveryStore({ env: later.env });
    const isPart = async (): Promise<boolean> => false;
    const stored = await store.get(pruneId);
    expect(stored !== undefined && (await belongsTo(stored, later.project, isPart))).toBe(true);
    const { pruneId: second } = await store.put({ ...request, focus: "else", project: later.project });
    const back = await openRecoveryStore({ env: a.env }).get(second);
    expect(back !== undefined && (await belongsTo(back, a.project, isPart))).toBe(true);
  });

  it("X-65 where the database is down a cut goes raw, and what this machine has cut still comes back", async () => {
    const proxy = await cuttingProxy(await freshUrl());
    onTestFinished(() => proxy.close());
    const a = machineForTest(proxy.url);
    const store = openRecoveryStore({ env: a.env });
    const { pruneId } = await store.put(request);
    proxy.refuse(true);
    await expect(store.put({ ...request, focus: "else" })).rejects.toMatchObject({ code: "store_unavailable" });
    expect((await store.get(pruneId))?.text).toBe(request.text);
    await expect(store.get("prn_aaaaaaaaaaaa")).rejects.toMatchObject({ code: "store_unavailable" });
    proxy.refuse(false);
    expect((await store.put({ ...request, focus: "else" })).pruneId).not.toBe(pruneId);
  });

  it("X-65 a text of 64 MB comes back byte for byte, and a larger one is refused", async () => {
    const a = machineForTest(await freshUrl());
    const store = openRecoveryStore({ env: a.env });
    const text = "0123456789abcde\n".repeat(4 * 1024 * 1024);
    const { pruneId } = await store.put({ text, focus: "", options: {} });
    const b = { ...a.env, JEEVES_STATE_DIR: join(a.home, "other") };
    expect((await openRecoveryStore({ env: b }).get(pruneId))?.text === text).toBe(true);
    await expect(store.put({ text: `${text}x`, focus: "", options: {} })).rejects.toMatchObject({
      code: "store_unavailable",
    });
  });
});
