// The server behind the page over real HTTP: its files and their policy, its questions, its stream, its token, its port.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { PROC } from "@jeeves/base";
import { createEvents } from "@jeeves/kit/events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tokenIn } from "../../src/page/token.ts";
import { startViewer, type Viewer, type ViewerOptions } from "../../src/start-viewer.ts";
import type { ViewerData } from "../../src/viewer-data.ts";
import { makeScratch } from "../scratch.ts";

const PRUNE_ID = "prn_abcdefghijkl";

interface FakeData extends ViewerData {
  /** Every argument that a source was called with. */
  readonly asked: unknown[];
  stampNow: string;
}

/** Sources that answer with what they were asked. */
function createFakeData(): FakeData {
  const asked: unknown[] = [];
  const note = <T>(value: T): T => {
    asked.push(value);
    return value;
  };
  const data: FakeData = {
    asked,
    stampNow: "1",
    runs: {
      list: async () => ({ runs: [], total: 0 }),
      timeline: async (id, window) => {
        note({ id, ...window });
        return undefined;
      },
      record: async (id, line) => ({ json: "{}", ...note({ id, line }) }),
      stamp: async () => data.stampNow,
    },
    blocks: {
      cut: async (id) => {
        note({ id });
        return undefined;
      },
      lines: async (id, range) => ({ ...note({ id, ...range }), lines: ["a"] }),
      share: async (id) => ({ ...note({ id }), markdown: "# a" }),
    },
    overview: {
      read: async (range) => {
        note(range);
        throw new Error("the secret of the house");
      },
    },
    savings: {
      read: async (range) => {
        note(range);
        throw new Error("the secret of the house");
      },
      stamp: async () => data.stampNow,
    },
    pruner: {
      cut: async (request) => {
        note(request);
        return {
          kind: "code",
          match: "none",
          lineCount: 1,
          rawTokens: 1,
          keptTokens: 1,
          blocks: [],
          why: [],
          durationMs: 1,
        };
      },
    },
    haven: {
      view: async () => ({ kind: "none", project: "p", message: "m", hint: "h" }),
      stamp: async () => data.stampNow,
    },
  };
  return data;
}

async function start(
  more: Partial<ViewerOptions> = {},
): Promise<Viewer & { readonly data: FakeData; readonly base: string }> {
  const pageDir = join(await makeScratch(), "page");
  await mkdir(join(pageDir, "assets"), { recursive: true });
  await writeFile(join(pageDir, "index.html"), "<!doctype html><title>x</title>");
  await writeFile(join(pageDir, "assets", "page.js"), "export {};");
  await writeFile(join(pageDir, "secret.txt"), "not served");
  const data = createFakeData();
  const viewer = await startViewer({
    data,
    events: createEvents({ stderr: new PassThrough() }),
    port: 0,
    pageDir,
    ...more,
  });
  onTestFinished(() => viewer.close());
  return Object.assign(viewer, { data, base: `http://${viewer.host}:${viewer.port}` });
}

/** fetch() mends paths before it sends them. */
async function rawGet(base: string, path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const { hostname, port } = new URL(base);
  const request = httpRequest({ hostname, port, path, headers });
  request.end();
  const [response] = await once(request, "response");
  response.resume();
  return response.statusCode;
}

/** Most are asked without a token: the user is known by the uid, where the system tells it. */
const tellsPeers = existsSync(`${PROC}/net/tcp`);

describe("the viewer's server", () => {
  it.runIf(tellsPeers)(
    "Security: every answer has a policy that allows nothing inline and nothing from elsewhere",
    async () => {
      const { base } = await start();
      for (const path of ["/", "/assets/page.js", "/api/runs"]) {
        const response = await fetch(base + path);
        expect(response.status).toBe(200);
        const policy = response.headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
        expect(response.headers.get("referrer-policy")).toBe("no-referrer");
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      }
      expect((await fetch(base)).headers.get("content-type")).toBe("text/html; charset=utf-8");
    },
  );

  it.runIf(tellsPeers)("Security: no path from the browser is ever opened", async () => {
    const { base, data } = await start();
    for (const path of [
      "/secret.txt",
      "/../secret.txt",
      "/assets/../secret.txt",
      "/assets/%2e%2e/secret.txt",
      "/assets/..%2fsecret.txt",
      "//etc/passwd",
      "/index.html",
    ])
      expect([path, await rawGet(base, path)]).toEqual([path, 404]);
    // An id is handed on as it is: looking it up, or refusing it, is the source's business.
    expect(await rawGet(base, `/api/cut?id=${encodeURIComponent("../../etc/passwd")}`)).toBe(404);
    expect(data.asked).toEqual([{ id: "../../etc/passwd" }]);
  });

  it("Security: the page writes nothing: GET everywhere, and one POST that only cuts", async () => {
    const { base } = await start();
    const paths = [
      "/",
      "/api/runs",
      "/api/timeline",
      "/api/record",
      "/api/cut",
      "/api/lines",
      "/api/savings",
      "/api/haven",
      "/api/live",
    ];
    for (const path of paths) {
      for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
        expect([path, method, (await fetch(base + path, { method })).status]).toEqual([path, method, 405]);
      }
    }
    expect((await fetch(`${base}/api/try`)).status).toBe(405);
  });

  it("Security: a page from elsewhere is refused by its Host and its Origin", async () => {
    const { base, url } = await start();
    expect(await rawGet(base, "/api/runs", { host: "evil.example" })).toBe(403);
    expect(await rawGet(base, "/api/runs", { origin: "http://evil.example" })).toBe(403);
    expect(await rawGet(base, "/api/runs", { origin: base })).toBe(401);
    const authorization = `Bearer ${tokenIn(new URL(url).hash)}`;
    expect(await rawGet(base, "/api/runs", { origin: base, authorization })).toBe(200);
    // the page's own origin, port included.
    for (const origin of ["http://127.0.0.1:1", base.replace("127.0.0.1", "localhost"), `${base}0`, "null"]) {
      expect([origin, await rawGet(base, "/api/runs", { origin, authorization })]).toEqual([origin, 403]);
    }
  });

  it("Security: a token of the user's own reaches the page as it is, whatever it holds", async () => {
    const token = "a.b+c/d=#%?&";
    const viewer = await start({ host: "0.0.0.0", token });
    expect(tokenIn(new URL(viewer.url).hash)).toBe(token);
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`http://127.0.0.1:${viewer.port}/api/runs`, { headers })).status).toBe(200);
  });

  it("Security: beyond loopback the printed address carries a token, and data need it", async () => {
    const viewer = await start({ host: "0.0.0.0" });
    const token = /#token=([\w-]{43})$/.exec(viewer.url)?.[1] ?? "";
    expect(token).not.toBe("");
    const base = `http://127.0.0.1:${viewer.port}`;
    expect((await fetch(base)).status).toBe(200);
    for (const path of ["/api/runs", "/api/live", "/api/haven"]) {
      expect((await fetch(base + path)).status).toBe(401);
      expect((await fetch(base + path, { headers: { authorization: "Bearer wrong" } })).status).toBe(401);
    }
    const body = JSON.stringify({ text: "a", focus: "b" });
    const headers = { "content-type": "application/json" };
    expect((await fetch(`${base}/api/try`, { method: "POST", body, headers })).status).toBe(401);
    const authorization = `Bearer ${token}`;
    expect((await fetch(`${base}/api/runs`, { headers: { authorization } })).status).toBe(200);
    const other = await start({ host: "0.0.0.0" });
    expect(other.url).not.toContain(token);
  });

  it.runIf(tellsPeers)(
    "a question that makes no sense is 400, one about what is gone is 404, a fault is 500 without its words",
    async () => {
      const { base } = await start();
      const status = async (path: string) => (await fetch(base + path)).status;
      expect(await status("/api/timeline")).toBe(400);
      expect(await status("/api/timeline?id=x&count=100000")).toBe(400);
      expect(await status("/api/timeline?id=x&from=-1")).toBe(400);
      expect(await status("/api/record?id=x&line=0")).toBe(400);
      expect(await status("/api/live?topic=everything")).toBe(400);
      expect(await status("/api/timeline?id=x")).toBe(404);
      expect(await status(`/api/cut?id=${PRUNE_ID}`)).toBe(404);
      const response = await fetch(`${base}/api/savings`);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain("secret");
    },
  );

  it.runIf(tellsPeers)(
    "Savings: the last day is the last day whenever it is asked for, also of a page that was opened long ago",
    async () => {
      const { base, data } = await start();
      const day = 86_400_000;
      vi.useFakeTimers({ toFake: ["Date"] });
      onTestFinished(() => void vi.useRealTimers());
      for (const now of [10 * day, 12 * day]) {
        vi.setSystemTime(now);
        await fetch(`${base}/api/savings?last=${day}`);
      }
      await fetch(`${base}/api/savings`);
      expect(data.asked).toEqual([{ sinceMs: 9 * day }, { sinceMs: 11 * day }, { sinceMs: 0 }]);
    },
  );

  it.runIf(tellsPeers)("a window of lines is never larger than a window", async () => {
    const { base, data } = await start();
    await fetch(`${base}/api/lines?id=${PRUNE_ID}&from=10&to=999999999`);
    expect(data.asked).toEqual([{ id: PRUNE_ID, from: 10, to: 1009 }]);
  });

  it.runIf(tellsPeers)("Try it: a text is cut as asked, and what is none is refused", async () => {
    const { base, data } = await start();
    const post = (body: string, type = "application/json") =>
      fetch(`${base}/api/try`, { method: "POST", body, headers: { "content-type": type } });
    expect((await post(JSON.stringify({ text: "a\nb", focus: "why", keep: 0.25 }))).status).toBe(200);
    expect(data.asked).toEqual([{ text: "a\nb", focus: "why", keep: 0.25 }]);
    expect((await post("{")).status).toBe(400);
    expect((await post(JSON.stringify({ text: "a", focus: "b", keep: 2 }))).status).toBe(400);
    expect((await post(JSON.stringify({ text: "a", focus: "b", path: "/etc/passwd" }))).status).toBe(400);
    expect((await post("text=a", "application/x-www-form-urlencoded")).status).toBe(415);
    expect((await post(JSON.stringify({ text: "x".repeat(4_000_001), focus: "b" }))).status).toBe(400);
  });

  it.runIf(tellsPeers)(
    "live: the stream says when what is looked at has changed, and ends with the server",
    async () => {
      const viewer = await start();
      const response = await fetch(`${viewer.base}/api/live?topic=runs`);
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
      const next = async (): Promise<string> => (await reader.read()).value ?? "the end";
      expect(await next()).toBe('event: change\ndata: {"first":true}\n\n');
      viewer.data.stampNow = "2";
      expect(await next()).toBe('event: change\ndata: {"first":false}\n\n');
      const closed = viewer.close();
      expect(await next()).toBe("the end");
      await closed;
    },
  );

  it("Bad input: a port in use: the next free one, said", async () => {
    const other = createServer();
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const viewer = await start({ port });
    expect(viewer.port).toBeGreaterThan(port);
    expect(viewer.moved).toContain(`127.0.0.1:${port} is in use`);
    expect((await fetch(viewer.base)).status).toBe(200);
  });

  it("an abort ends it, and its port is free again", async () => {
    const stop = new AbortController();
    const viewer = await start({ signal: stop.signal });
    stop.abort();
    await viewer.close();
    const socket = connect(viewer.port, "127.0.0.1");
    const [error] = await once(socket, "error");
    expect(error.code).toBe("ECONNREFUSED");
    await expect(start({ signal: stop.signal })).rejects.toThrow();
  });

  it("a page that was never built is said to be missing, with the way to build it", async () => {
    const pageDir = await makeScratch();
    const events = createEvents({ stderr: new PassThrough() });
    await expect(startViewer({ data: createFakeData(), events, port: 0, pageDir })).rejects.toThrow(/build-viewer/);
  });
});
