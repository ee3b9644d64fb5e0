// X-55 on the built bins: what runs commands, reads files, changes tasks or shows stored texts answers the user who
// started it and no one else, whichever way another user, a browser or a client that leaves at once tries.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  canBeOtherUser,
  type HttpAsk,
  type OtherUser,
  startOtherUser,
  tellsPeers,
} from "../../kit/test/http/other-user.ts";

const BIN = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
const JSON_TYPE = { "content-type": "application/json" };
const LOCAL_PAGE = { origin: "http://127.0.0.1:1" };

let dir: string;
let project: string;
let token: string;
let self: OtherUser;
let other: OtherUser | undefined;
const children: ChildProcess[] = [];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "jeeves-user-"));
  project = join(dir, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "hello\n");
  token = jeeves(["token"]).trim();
  self = startOtherUser({ as: "self" });
  if (canBeOtherUser) other = startOtherUser();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});
afterAll(async () => {
  await self.close();
  await other?.close();
  rmSync(dir, { recursive: true, force: true });
});

function env(): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: dir, TMPDIR: dir, JEEVES_STATE_DIR: join(dir, "state") };
}

function jeeves(args: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, [BIN, ...args], { cwd: project, env: { ...env(), ...more }, encoding: "utf8" });
}

/** Resolves with what it printed once that holds `until`. */
async function start(args: readonly string[], until: RegExp, more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: project,
    env: { ...env(), ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let out = "";
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (part) => {
    err += part;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (part) => {
      out += part;
      if (until.test(out)) resolve();
    });
    child.once("close", () => reject(new Error(err)));
  });
  const stop = async () => {
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
    return err;
  };
  return { out, stop };
}

async function startUp() {
  const { out, stop } = await start(["up", "--port", "0", "--page-port", "0"], /Ctrl-C/);
  const page = /^ {2}(http:\S+) {2}the page/m.exec(out)?.[1] ?? "";
  const port = Number(/^ {2}http:\/\/127\.0\.0\.1:(\d+)\/mcp /m.exec(out)?.[1]);
  return { port, page, pagePort: Number(new URL(page).port), stop };
}

type Ask = Omit<HttpAsk, "port">;

function rpc(path: string, message: unknown, headers: Readonly<Record<string, string>> = {}): Ask {
  return { path, method: "POST", headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(message) };
}

function request(method: string, params: object = {}) {
  return { jsonrpc: "2.0", id: 1, method, params };
}

function call(name: string, args: object) {
  return request("tools/call", { name, arguments: args });
}

const STREAM = { accept: "application/json, text/event-stream" };
const HELLO = { protocolVersion: "2025-06-18", clientInfo: { name: "test", version: "1" }, capabilities: {} };
const MODERN = { ...STREAM, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "bash" };

/** Everything that only its owner may do, with what would show that it was done. */
function doors(marker: string): Record<string, Ask> {
  const bash = call("bash", { command: `echo ran > ${marker}` });
  return {
    "/mcp": rpc("/mcp", bash),
    "/mcp in a batch behind tools/list": rpc("/mcp", [request("tools/list"), bash]),
    "/mcp as a notification": rpc("/mcp", { jsonrpc: "2.0", method: "tools/call", params: bash.params }),
    "/mcp by Streamable HTTP": rpc("/mcp", bash, STREAM),
    "/mcp by Streamable HTTP in a batch": rpc("/mcp", [request("ping"), bash], STREAM),
    "/mcp by Streamable HTTP of 2026": rpc("/mcp", bash, MODERN),
    "/mcp with a method of its own": rpc("/mcp", request("resources/list")),
    "/mcp with bytes that are no JSON": { path: "/mcp", method: "POST", headers: JSON_TYPE, body: "{" },
    "GET /mcp": { path: "/mcp", headers: STREAM },
    "GET /mcp without a stream": { path: "/mcp" },
    "DELETE /mcp": { path: "/mcp", method: "DELETE", headers: { "mcp-session-id": "x" } },
    "/research": rpc("/research", call("list_roots", {})),
    "/rudder": rpc("/rudder", call("status", {})),
  };
}

const PAGE_DOORS: Record<string, Ask> = {
  "/api/runs": { path: "/api/runs" },
  "/api/cut": { path: "/api/cut?id=prn_abcdefghijkl" },
  "/api/savings": { path: "/api/savings" },
  "/api/haven": { path: "/api/haven" },
  "/api/live": { path: "/api/live?topic=runs" },
  "/api/try": rpc("/api/try", { text: "a\nb", focus: "a" }),
};

/** Who is not known to be the owner, by what it sends. */
function strangers(): Record<string, { readonly from: OtherUser; readonly headers: Readonly<Record<string, string>> }> {
  return {
    ...(other === undefined ? {} : { "another user": { from: other, headers: {} } }),
    "a page of this machine": { from: self, headers: LOCAL_PAGE },
    "a link in a browser": { from: self, headers: { "sec-fetch-site": "cross-site" } },
    "a proxy": { from: self, headers: { "x-forwarded-host": "example.org" } },
    "a forwarder on another port": { from: self, headers: { host: "127.0.0.1:1" } },
    "a wrong token": {
      from: other ?? self,
      headers: { authorization: `Bearer ${token}x`, ...(other ? {} : LOCAL_PAGE) },
    },
    "the token in another scheme": {
      from: other ?? self,
      headers: { authorization: `Basic ${token}`, ...(other ? {} : LOCAL_PAGE) },
    },
  };
}

const withHeaders = (ask: Ask, headers: Readonly<Record<string, string>>): Ask => ({
  ...ask,
  headers: { ...ask.headers, ...headers },
});

describe("X-55 only its own user", () => {
  it.runIf(tellsPeers)(
    "X-55 jeeves up: every door refuses strangers with 401 and what would be right, and lets the owner and the token in",
    async () => {
      const { port, page, pagePort, stop } = await startUp();
      const marker = join(project, "ran-by-a-stranger");
      for (const [who, { from, headers }] of Object.entries(strangers())) {
        for (const [door, ask] of Object.entries(doors(marker))) {
          const answer = await from.ask({ port, ...withHeaders(ask, headers) });
          expect([who, door, answer.status, answer.authenticate]).toEqual([who, door, 401, "Bearer"]);
          expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: { code: "unauthorized" } });
          expect(answer.text).toContain("`jeeves token` prints it");
        }
        for (const [door, ask] of Object.entries(PAGE_DOORS)) {
          // The page's own server takes no other page at all.
          const expected = "origin" in headers ? 403 : 401;
          const { status } = await from.ask({ port: pagePort, ...withHeaders(ask, headers) });
          expect([who, door, status]).toEqual([who, door, expected]);
        }
      }
      expect(readdirSync(project)).toEqual(["a.txt"]);

      const pageToken = new URLSearchParams(new URL(page).hash.slice(1)).get("token") ?? "";
      expect(pageToken).not.toBe(token);
      const authorization = `Bearer ${token}`;
      const owners = {
        "own uid": { from: self, headers: {} },
        "own page of this machine with the token": { from: self, headers: { ...LOCAL_PAGE, authorization } },
        ...(other === undefined ? {} : { "another user with the token": { from: other, headers: { authorization } } }),
      };
      for (const [who, { from, headers }] of Object.entries(owners)) {
        const own = join(project, "ran-by-the-owner");
        const answer = await from.ask({
          port,
          ...withHeaders(rpc("/mcp", call("bash", { command: `echo ran > ${own}` })), headers),
        });
        expect([who, answer.status, readFileSync(own, "utf8")]).toEqual([who, 200, "ran\n"]);
        rmSync(own);
        for (const path of ["/research", "/rudder"]) {
          const name = path === "/research" ? "list_roots" : "versions";
          const { status, text } = await from.ask({ port, ...withHeaders(rpc(path, call(name, {})), headers) });
          expect([who, path, status]).toEqual([who, path, 200]);
          expect(text).toContain('"result"');
        }
      }
      // The page: its own origin with its own token; the user's token for programs.
      const origin = `http://127.0.0.1:${pagePort}`;
      const readers = {
        "the page": {
          from: self,
          headers: { origin, "sec-fetch-site": "same-origin", authorization: `Bearer ${pageToken}` },
        },
        "own uid": { from: self, headers: {} },
        ...(other === undefined ? {} : { "another user with the token": { from: other, headers: { authorization } } }),
      };
      for (const [who, { from, headers }] of Object.entries(readers)) {
        for (const [door, ask] of Object.entries(PAGE_DOORS)) {
          const { status } = await from.ask({ port: pagePort, ...withHeaders(ask, headers) });
          expect([who, door, status]).toEqual([who, door, door === "/api/cut" ? 404 : 200]);
        }
      }
      // The page's token opens the page and nothing else.
      const bearer = { ...LOCAL_PAGE, authorization: `Bearer ${pageToken}` };
      expect(
        (await self.ask({ port, ...withHeaders(rpc("/mcp", call("read", { file_path: "a.txt" })), bearer) })).status,
      ).toBe(401);
      const elsewhere = { origin: `http://127.0.0.1:${port}`, authorization: `Bearer ${pageToken}` };
      expect((await self.ask({ port: pagePort, path: "/api/runs", headers: elsewhere })).status).toBe(403);
      await stop();
    },
  );

  it("X-55 K-45 X-44 D-02 what is open stays open: asking what there is, pruning texts, health, the page's files", async () => {
    const { port, pagePort, stop } = await startUp();
    const ways: [string, OtherUser, Readonly<Record<string, string>>][] = [
      ["a page of this machine", self, LOCAL_PAGE],
      ...(other === undefined ? [] : ([["another user", other, {}]] as [string, OtherUser, Record<string, string>][])),
    ];
    for (const [who, from, headers] of ways) {
      const open: Ask[] = ["/mcp", "/research", "/rudder"].flatMap((path) => [
        rpc(path, request("tools/list")),
        rpc(path, request("ping")),
        rpc(path, request("server/discover")),
        rpc(path, request("initialize", HELLO)),
        rpc(path, request("initialize", HELLO), STREAM),
        rpc(path, [request("tools/list"), request("ping")]),
      ]);
      for (const ask of [
        ...open,
        rpc("/rpc", request("tools/list")),
        rpc("/prune", { query: "x", code: "" }),
        { path: "/health" },
        { path: "/healthz" },
      ]) {
        const answer = await from.ask({ port, ...withHeaders(ask, headers) });
        expect([who, ask.path, ask.body, answer.status]).toEqual([who, ask.path, ask.body, 200]);
      }
      const said = rpc("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" });
      expect((await from.ask({ port, ...withHeaders(said, headers) })).status).toBe(202);
    }
    expect((await (other ?? self).ask({ port: pagePort, path: "/" })).status).toBe(200);
    await stop();
  });

  it.runIf(tellsPeers)("X-55 K-37 /rpc without proof recovers only what came in there", async () => {
    const { port, stop } = await startUp();
    writeFileSync(join(project, "long.txt"), Array.from({ length: 400 }, (_, i) => `line ${i} of a text`).join("\n"));
    const own = JSON.parse(jeeves(["prune", "long.txt", "--focus", "line 7", "--keep", "0.1", "--json"]));
    const ids = { agents: /prn_\w+/.exec(JSON.stringify(own))?.[0] ?? "", rpc: "", prune: "" };
    const stranger = other ?? self;
    const headers = other === undefined ? LOCAL_PAGE : {};
    const options = {
      max_prune_ratio: 0.75,
      min_keep_lines: 1,
      timeout_ms: 30_000,
      annotate_lines: false,
      include_markers: true,
    };
    const args = { text: "L1\nL2\nL3\nL4", goal_hint: "L1", source_type: "docs", options };
    const cut = await stranger.ask({ port, ...withHeaders(rpc("/rpc", call("prune_text", args)), headers) });
    ids.rpc = /prn_\w+/.exec(cut.text)?.[0] ?? "";
    const recover = (prune_id: string) =>
      rpc(
        "/rpc",
        call("recover_text", { prune_id, ranges: [{ start_line: 2, end_line: 2 }], include_line_numbers: false }),
      );
    const back = await stranger.ask({ port, ...withHeaders(recover(ids.rpc), headers) });
    expect(back.text).toContain("L2");
    const refused = await stranger.ask({ port, ...withHeaders(recover(ids.agents), headers) });
    expect([refused.status, JSON.parse(refused.text).error]).toEqual([
      200,
      expect.objectContaining({ code: -32004, message: "prune_id_not_found" }),
    ]);
    const proven = [
      await self.ask({ port, ...recover(ids.agents) }),
      await stranger.ask({
        port,
        ...withHeaders(recover(ids.agents), { ...headers, authorization: `Bearer ${token}` }),
      }),
    ];
    for (const { text } of proven) expect(text).toContain("line 1 of a text");
    rmSync(join(project, "long.txt"));
    await stop();
  });

  it.runIf(tellsPeers)(
    "X-55 a client that sends its call and is gone at once has not proven anything: the command never runs",
    async () => {
      const log = join(dir, "events.jsonl");
      const { out, stop } = await start(["serve", "--port", "0"], /healthz/, { JEEVES_EVENT_LOG: log });
      const port = Number(/127\.0\.0\.1:(\d+)\/mcp/.exec(out)?.[1]);
      const bytesOf = (ask: Ask) => {
        const { body = "", headers = {} } = ask;
        const lines = Object.entries({ host: `127.0.0.1:${port}`, "content-length": String(body.length), ...headers });
        return `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`;
      };
      const marker = join(project, "ran-for-another");
      const bash = rpc("/mcp", call("bash", { command: `echo ran > ${marker}` }));
      // Without another user to play: a browser of our own that leaves as fast.
      const [from, ask] = other === undefined ? [self, withHeaders(bash, LOCAL_PAGE)] : [other, bash];
      for (const leaving of ["end", "destroy", "reset"] as const) {
        await from.sendAndLeave(port, bytesOf(ask), { times: 60, leaving });
      }
      const own = join(project, "ran-for-us");
      await self.ask({ port, ...rpc("/mcp", call("bash", { command: `echo ran > ${own}` })) });
      expect(readFileSync(own, "utf8")).toBe("ran\n");
      await stop(); // lets what is under way finish
      expect(readdirSync(project).sort()).toEqual(["a.txt", "ran-for-us"]);
      const logged = readFileSync(log, "utf8");
      expect(logged.split('"tool.request_received"').length - 1).toBe(1);
      rmSync(own);
    },
  );

  it("X-55 jeeves token prints the token of the file, 0600; JEEVES_TOKEN is the token where it is set", async () => {
    const file = join(dir, "state", "token");
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(readFileSync(file, "utf8")).toBe(`${token}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(jeeves(["token"])).toBe(`${token}\n`);
    expect(jeeves(["token"], { JEEVES_TOKEN: "of-my-own" })).toBe("of-my-own\n");
  });

  it("X-15 where JEEVES_TOKEN is set every request needs it, the owner's and the page's too", async () => {
    const more = { JEEVES_TOKEN: "of-my-own" };
    const { out, stop } = await start(["up", "--port", "0", "--page-port", "0"], /Ctrl-C/, more);
    const port = Number(/127\.0\.0\.1:(\d+)\/mcp/.exec(out)?.[1]);
    const page = new URL(/^ {2}(http:\S+) {2}the page/m.exec(out)?.[1] ?? "");
    const authorization = "Bearer of-my-own";
    expect(page.hash).toBe("#token=of-my-own");
    for (const [at, path] of [
      [port, "/health"],
      [Number(page.port), "/api/runs"],
    ] as const) {
      expect((await self.ask({ port: at, path })).status).toBe(401);
      expect((await self.ask({ port: at, path, headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
      expect((await self.ask({ port: at, path, headers: { authorization } })).status).toBe(200);
    }
    await stop();
  });
});
