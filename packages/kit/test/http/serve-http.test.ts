// The rim of every HTTP server: who is let in, how much, how many, how long, and the end.
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { createEvents } from "../../src/events/index.ts";
import { type Exchange, type HttpRoute, jsonAnswer, ListenError, serveHttp } from "../../src/http/index.ts";
import { tellsPeers } from "./other-user.ts";
import { ask, readToEnd, type Serving, serveRoutes } from "./serving.ts";

let server: Serving | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});
const serve = async (...given: Parameters<typeof serveRoutes>) => {
  server = await serveRoutes(...given);
  return server;
};

const hello: HttpRoute = { path: "/hello", methods: ["GET"], handle: async () => jsonAnswer(200, { hello: true }) };
const size: HttpRoute = {
  path: "/size",
  methods: ["POST"],
  handle: async (exchange) => jsonAnswer(200, { size: (await exchange.readBody()).length }),
};

/** A route whose answer is more than any buffer takes. */
function createLarge() {
  let tell: (error?: Error) => void = () => {};
  const told = new Promise<Error | undefined>((resolve) => {
    tell = resolve;
  });
  const body = "x".repeat(64 << 20);
  const route: HttpRoute = {
    path: "/large",
    methods: ["POST"],
    handle: async () => ({ status: 200, headers: { "content-type": "text/plain" }, body, sent: tell }),
  };
  return { route, told };
}

/** A route whose requests wait until they are let go. */
function createHold() {
  const waiting: { exchange: Exchange; go(): void }[] = [];
  let tell: () => void = () => {};
  const route: HttpRoute = {
    path: "/hold",
    methods: ["POST"],
    async handle(exchange) {
      await new Promise<void>((resolve) => {
        waiting.push({ exchange, go: resolve });
        exchange.signal.addEventListener("abort", () => resolve());
        tell();
      });
      return jsonAnswer(200, { held: true });
    },
  };
  const arrived = async (count: number) => {
    while (waiting.length < count) {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    }
  };
  return { route, waiting, arrived };
}

describe("who is let in", () => {
  it("a foreign Host is 403, on every path, before anything else is looked at", async () => {
    const running = await serve([hello]);
    for (const host of [
      "evil.example",
      "127.0.0.1.evil.example",
      "evil.example:80",
      "192.168.1.4",
      "localhost@evil.example",
      "localhost:80@evil.example",
      "evil.example#localhost",
      "localhost:port",
      "localhost:65536",
      "127.999.0.1",
      "localhost.",
    ]) {
      const { status, json } = await running.ask("/hello", { headers: { host } });
      expect(status, host).toBe(403);
      const message = `Host must be localhost, 127.0.0.1 or [::1], not ${JSON.stringify(host)}`;
      expect(json).toEqual({ ok: false, error: { code: "forbidden_host", message } });
      expect((await running.ask("/nothing", { headers: { host }, method: "PUT" })).status).toBe(403);
    }
    const socket = await running.raw();
    socket.write("GET /hello HTTP/1.0\r\n\r\n");
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 403 /);
    for (const host of ["localhost", "LocalHost:8006", "127.0.0.1:1", "[::1]:9", "[::1]"]) {
      expect((await running.ask("/hello", { headers: { host } })).status, host).toBe(200);
    }
  });

  it("a header that only one of may come is refused where two do, whichever is first", async () => {
    const running = await serve([hello], { token: "t" });
    const [host, token] = ["Host: localhost", "Authorization: Bearer t"];
    for (const [lines, status] of [
      [[host, token], 200],
      [[host, "Host: evil.example", token], 403],
      [["Host: evil.example", host, token], 403],
      [[host, token, "Origin: http://localhost", "Origin: http://evil.example"], 403],
      [[host, token, "Authorization: Bearer wrong"], 401],
    ] as const) {
      const socket = await running.raw();
      socket.write(`GET /hello HTTP/1.1\r\n${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`);
      expect((await readToEnd(socket)).split("\r\n")[0], lines.join()).toContain(` ${status} `);
    }
  });

  it("the target may be a whole URL, and then it is its host that counts", async () => {
    const running = await serve([hello]);
    for (const base of ["http://127.0.0.1:1", "HTTP://localhost", "https://[::1]:9"]) {
      expect((await running.ask(`${base}/hello?x=1`, { headers: { host: "evil.example" } })).status, base).toBe(200);
    }
    for (const base of ["http://evil.example", "http://localhost@evil.example", "http://"]) {
      const { status, json } = await running.ask(`${base}/hello`, { headers: { host: "localhost" } });
      expect([status, json.error.code], base).toEqual([403, "forbidden_host"]);
    }
    expect((await running.ask("http://localhost/nope")).status).toBe(404);
  });

  it("HEAD is answered where GET is, with its headers and no body", async () => {
    const running = await serve([hello, size]);
    const { headers } = await running.ask("/hello");
    const head = await running.ask("/hello", { method: "HEAD" });
    expect([head.status, head.headers["content-length"], head.text]).toEqual([200, headers["content-length"], ""]);
    expect((await running.ask("/size", { method: "HEAD" })).status).toBe(405);
  });

  it("a foreign Origin is 403, a local one and none at all are not", async () => {
    const running = await serve([hello]);
    for (const origin of ["https://evil.example", "null", "http://127.0.0.1.evil.example", "file://"]) {
      const { status, json } = await running.ask("/hello", { headers: { origin } });
      expect(status, origin).toBe(403);
      const message = `Origin must be at localhost, 127.0.0.1 or [::1], not ${JSON.stringify(origin)}`;
      expect(json.error).toEqual({ code: "forbidden_origin", message });
    }
    for (const origin of ["http://localhost:5173", "http://127.0.0.1", "http://[::1]:3000"]) {
      expect((await running.ask("/hello", { headers: { origin } })).status, origin).toBe(200);
    }
  });

  it("X-15 where a token is set, everything without it is 401", async () => {
    const running = await serve([hello], { token: "s3cret" });
    for (const authorization of ["", "Bearer", "Bearer wrong", "Basic s3cret", "Bearer s3cret2", "s3cret"]) {
      const { status, headers, json } = await running.ask("/hello", { headers: { authorization } });
      expect(status, authorization).toBe(401);
      expect(headers["www-authenticate"]).toBe("Bearer");
      expect(json.error.code).toBe("unauthorized");
    }
    expect((await running.ask("/hello", { headers: { authorization: "Bearer s3cret" } })).status).toBe(200);
    expect((await running.ask("/hello", { headers: { authorization: "bearer s3cret" } })).status).toBe(200);
  });

  it("X-55 where only the page's own Origin goes, it has the listener's port and scheme, whatever Host says", async () => {
    const own = await serve([hello], { ownOriginOnly: true });
    const { port } = own;
    const asked = (host: string, origin: string) => own.ask("/hello", { headers: { host, origin } });
    for (const name of ["127.0.0.1", "localhost", "[::1]"])
      expect((await asked(`${name}:${port}`, `http://${name}:${port}`)).status, name).toBe(200);
    for (const [host, origin] of [
      [`127.0.0.1:${port}`, `https://127.0.0.1:${port}`],
      [`127.0.0.1:${port}`, `ftp://127.0.0.1:${port}`],
      [`127.0.0.1:${port}`, `127.0.0.1:${port}`],
      ["127.0.0.1:1", "http://127.0.0.1:1"],
      ["127.0.0.1", "http://127.0.0.1"],
      [`127.0.0.1:${port}`, `http://localhost:${port}`],
    ] as const) {
      const { status, json } = await asked(host, origin);
      expect([status, json.error?.code], `${host} ${origin}`).toEqual([403, "forbidden_origin"]);
    }
  });

  it("beyond loopback any Host goes with the token, a foreign Origin does not", async () => {
    const running = await serve([hello], { host: "0.0.0.0", token: "t" });
    const authorization = "Bearer t";
    expect((await running.ask("/hello", { headers: { host: "build.example", authorization } })).status).toBe(200);
    const origin = "https://evil.example";
    expect((await running.ask("/hello", { headers: { host: "build.example", authorization, origin } })).status).toBe(
      403,
    );
    expect((await running.ask("/hello", { headers: { host: "build.example" } })).status).toBe(401);
  });

  it("D-05 D-06 an unknown path is 404, a wrong method 405 with what is allowed", async () => {
    const running = await serve([hello]);
    expect((await running.ask("/nope")).json).toEqual({
      ok: false,
      error: { code: "not_found", message: expect.any(String) },
    });
    const { status, headers, json } = await running.ask("/hello", { method: "DELETE" });
    expect([status, headers.allow, json.error.code]).toEqual([405, "GET", "method_not_allowed"]);
  });

  it("D-02 what a handler throws is 500 without its words, and an event with its stack", async () => {
    const broken: HttpRoute = {
      path: "/broken",
      methods: ["GET"],
      handle: async () => {
        throw new Error("a secret detail");
      },
    };
    const running = await serve([broken]);
    const { status, text, json } = await running.ask("/broken");
    expect(status).toBe(500);
    expect(json).toEqual({ ok: false, error: { code: "internal_error", message: "internal error" } });
    expect(text).not.toContain("secret");
    const event = running.logged.find((each) => each.event === "http.internal_error");
    expect(event?.data?.stack).toContain("a secret detail");
  });
});

describe("how much", () => {
  it("a body at the limit is read, one byte more is 413, declared or not", async () => {
    const running = await serve([size], { limits: { maxBodyBytes: 1000 } });
    expect((await running.ask("/size", { body: "x".repeat(1000) })).json).toEqual({ size: 1000 });
    const tooLarge = await running.ask("/size", { body: "x".repeat(1001) });
    expect([tooLarge.status, tooLarge.json.error.code]).toEqual([413, "payload_too_large"]);
    const chunked = await running.ask("/size", { body: "x".repeat(1001), headers: { "transfer-encoding": "chunked" } });
    expect(chunked.status).toBe(413);
    expect((await running.ask("/size", { body: "again" })).json).toEqual({ size: 5 });
  });

  it("a body of 100 MB is refused by its length, before it is sent", async () => {
    const running = await serve([size]);
    const socket = await running.raw();
    socket.write("POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Length: 104857600\r\n\r\n");
    const [part] = await new Promise<Buffer[]>((resolve) => socket.once("data", (data) => resolve([data])));
    expect(String(part)).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it.each(["Content-Length: 8388608", "Transfer-Encoding: chunked"])(
    "a client that closes with its answer is not reset while it sends what was refused: %s",
    async (framing) => {
      const running = await serve([size], { limits: { maxBodyBytes: 1000 } });
      const socket = await running.raw();
      socket.write(`POST /size HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${framing}\r\n\r\n`);
      const body = "x".repeat(8_388_608);
      const isChunked = framing.startsWith("Transfer");
      if (isChunked) socket.write(`${body.length.toString(16)}\r\n${"x".repeat(2000)}`);
      await once(socket, "readable");
      expect(String(socket.read())).toMatch(/^HTTP\/1\.1 413 .*"payload_too_large"/s);
      const closed = once(socket.resume(), "close");
      socket.write(isChunked ? `${body.slice(2000)}\r\n0\r\n\r\n` : body);
      expect(await closed).toEqual([false]);
      expect(socket.bytesWritten).toBeGreaterThan(body.length);
    },
  );

  it("a body that never ends is 408", async () => {
    const running = await serve([size], { limits: { requestTimeoutMs: 300, headersTimeoutMs: 200 } });
    const socket = await running.raw();
    socket.write("POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("a client that goes away in the middle of its body is no error of ours", async () => {
    const running = await serve([size]);
    const socket = await running.raw();
    socket.write("POST /size HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\nhalf", () => socket.destroy());
    await expect
      .poll(() => running.logged.map(({ event }) => event), { timeout: 30_000 })
      .toContain("http.request_refused");
    expect(running.logged.map(({ event }) => event)).not.toContain("http.internal_error");
  });

  it("headers that never end are 408", async () => {
    const running = await serve([size], { limits: { requestTimeoutMs: 300, headersTimeoutMs: 200 } });
    const socket = await running.raw();
    socket.write("POST /size HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("bodies together hold no more than their bound, and give it back", async () => {
    const hold = createHold();
    const reading: HttpRoute = {
      ...hold.route,
      async handle(exchange) {
        await exchange.readBody();
        return hold.route.handle(exchange);
      },
    };
    const running = await serve([reading, size], { limits: { maxBodyBytes: 1000, maxHeldBytes: 1500 } });
    const first = running.ask("/hold", { body: "x".repeat(1000) });
    await hold.arrived(1);
    const second = await running.ask("/size", { body: "x".repeat(1000) });
    expect([second.status, second.headers["retry-after"]]).toEqual([503, "1"]);
    hold.waiting[0]?.go();
    expect((await first).status).toBe(200);
    expect((await running.ask("/size", { body: "x".repeat(1000) })).status).toBe(200);
  });

  it("K-34 a body that may come alone finds room, however little all may hold together", async () => {
    const running = await serve([size], { limits: { maxBodyBytes: 2000, maxHeldBytes: 1000 } });
    expect((await running.ask("/size", { body: "x".repeat(2000) })).json).toEqual({ size: 2000 });
  });
});

describe("how many", () => {
  it("beyond the bound it is 503 with Retry-After at once; health still answers; then there is room again", async () => {
    const hold = createHold();
    const running = await serve([hold.route, hello], { limits: { maxConcurrent: 2 } });
    const held = [running.ask("/hold", { body: "1" }), running.ask("/hold", { body: "2" })];
    await hold.arrived(2);
    const third = await running.ask("/hold", { body: "3" });
    expect([third.status, third.headers["retry-after"], third.json.error.code]).toEqual([503, "1", "too_busy"]);
    expect((await running.ask("/hello")).status).toBe(200);
    for (const each of hold.waiting) each.go();
    expect((await Promise.all(held)).map((each) => each.status)).toEqual([200, 200]);
    const fourth = running.ask("/hold", { body: "4" });
    await hold.arrived(3);
    hold.waiting[2]?.go();
    expect((await fourth).status).toBe(200);
  });

  it("half-sent bodies took every place for half a minute: one that still comes takes none", async () => {
    const running = await serve([size], { limits: { maxConcurrent: 2 } });
    const slow = await Promise.all([running.raw(), running.raw(), running.raw(), running.raw()]);
    for (const socket of slow) {
      socket.write("POST /size HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab");
    }
    // Each is here before the next request: a connection is taken in the order of its arrival.
    for (let i = 0; i < 8; i++) expect((await running.ask("/size", { body: "x" })).json).toEqual({ size: 1 });
    const answers = slow.map(readToEnd);
    for (const socket of slow) socket.write("cd");
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/\{"size":4\}|too_busy/);
  });

  it.each([
    ["closes", (socket: Socket) => socket.destroy()],
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
    ["closes its half first", (socket: Socket) => socket.end(() => socket.destroy())],
  ])("J-76 an answer that a client did not wait for has not left: it %s", async (_, leave) => {
    const large = createLarge();
    const running = await serve([large.route]);
    const socket = await running.raw();
    socket.write("POST /large HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    await once(socket, "readable");
    leave(socket);
    expect((await large.told)?.message).toBe("the client is gone");
  });

  it("J-76 an answer that is taken has left, also where its connection closes with it", async () => {
    const large = createLarge();
    const running = await serve([large.route]);
    const { text } = await running.ask("/large", { body: "", headers: { connection: "close" } });
    expect([text.length, await large.told]).toEqual([64 << 20, undefined]);
  });

  it("requests that wait behind another one on a connection that is gone give their places back", async () => {
    const hold = createHold();
    const told: (Error | undefined)[] = [];
    const quick: HttpRoute = {
      path: "/quick",
      methods: ["POST"],
      handle: async () => ({ status: 200, sent: (error) => told.push(error) }),
    };
    const running = await serve([hold.route, quick], { limits: { maxConcurrent: 20 } });
    const socket = await running.raw();
    const ask = (path: string) => `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`;
    socket.write(ask("/hold") + ask("/quick").repeat(18) + ask("/hold"));
    await hold.arrived(2);
    socket.destroy();
    await expect.poll(() => told.length).toBe(18);
    expect(told.every((error) => error?.message === "the client is gone")).toBe(true);
    const held = Array.from({ length: 20 }, () => running.ask("/hold", { body: "1" }));
    await hold.arrived(22);
    for (const each of hold.waiting) each.go();
    expect(new Set((await Promise.all(held)).map((each) => each.status))).toEqual(new Set([200]));
  });

  it("a client that does not take its answer is let go, so that another one finds room", async () => {
    const large = createLarge();
    const running = await serve([large.route, size], { limits: { maxConcurrent: 1, answerTimeoutMs: 200 } });
    const socket = (await running.raw()).pause();
    socket.write("POST /large HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    expect((await large.told)?.message).toBe("the client is gone");
    expect((await running.ask("/size", { body: "abc" })).json).toEqual({ size: 3 });
    socket.destroy();
  });

  it("work that takes longer than an answer may lie is not cut, nor is what waits behind it", async () => {
    const slow: HttpRoute = {
      path: "/slow",
      methods: ["POST"],
      async handle() {
        await new Promise((resolve) => setTimeout(resolve, 250));
        return jsonAnswer(200, { slow: true });
      },
    };
    const running = await serve([slow], { limits: { answerTimeoutMs: 50 } });
    const socket = await running.raw();
    const ask = "POST /slow HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n";
    socket.write(`${ask}\r\n${ask}Connection: close\r\n\r\n`);
    expect((await readToEnd(socket)).match(/\{"slow":true\}/g)).toHaveLength(2);
  });

  it("a client that goes away aborts its work", async () => {
    const hold = createHold();
    const running = await serve([hold.route]);
    const socket = await running.raw();
    socket.write("POST /hold HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    await hold.arrived(1);
    const signal = hold.waiting[0]?.exchange.signal;
    const aborted = new Promise((resolve) => signal?.addEventListener("abort", resolve));
    socket.destroy();
    await aborted;
    expect(signal?.aborted).toBe(true);
  });
});

describe("the end", () => {
  it("requests in flight finish, new ones are refused, then nothing listens", async () => {
    const hold = createHold();
    const running = await serve([hold.route, hello]);
    const busy = await running.raw();
    const answers = readToEnd(busy);
    busy.write("POST /hold HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
    await hold.arrived(1);
    const stopped = running.stop();
    busy.write("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => running.logged.some((each) => each.data?.code === "stopping")).toBe(true);
    const refusal = () =>
      running.ask("/hello").then(
        ({ status }) => status,
        ({ code }) => code,
      );
    await expect.poll(refusal).toBe("ECONNREFUSED");
    hold.waiting[0]?.go();
    // Node closes the connection after the answer to what was asked before the stop.
    expect(await answers).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n\{"held":true\}/s);
    expect(await stopped).toEqual({ graceful: true });
    server = undefined;
  });

  it("a call in the moment of the stop is refused in words, and not reset", async () => {
    const running = await serve([hello]);
    const asked = Array.from({ length: 20 }, () => running.ask("/hello"));
    const stopped = running.stop();
    for (const { status, headers } of await Promise.all(asked)) {
      expect(status).toBe(503);
      expect(headers).toMatchObject({ "retry-after": expect.anything(), connection: "close" });
    }
    expect(await stopped).toEqual({ graceful: true });
    server = undefined;
  });

  it("a process that gets no turn for a while refuses such calls in words all the same", async () => {
    const running = await serve([hello]);
    const asked = Array.from({ length: 20 }, () => running.ask("/hello"));
    const stopped = running.stop();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400); // as on a busy machine: nothing of this process runs
    for (const { status } of await Promise.all(asked)) expect(status).toBe(503);
    expect(await stopped).toEqual({ graceful: true });
    server = undefined;
  });

  it("what does not finish in time is aborted, and the stop says so", async () => {
    const hold = createHold();
    const running = await serve([hold.route], { limits: { drainMs: 50 } });
    const held = running.ask("/hold", { body: "1" });
    await hold.arrived(1);
    expect(await running.stop()).toEqual({ graceful: false });
    expect((await held).status).toBe(200);
    expect(hold.waiting[0]?.exchange.signal.aborted).toBe(true);
    server = undefined;
  });

  it.each([
    ["no-such-host.invalid", "host"], // without a network it is a name that cannot be looked up now
    ["203.0.113.5", "the host is no address of this machine"],
  ])("a host that nobody can listen on says so: %s", async (host, words) => {
    const events = { emit: () => {}, child: () => events };
    const failure = await serveHttp({ host, port: 0, events, routes: [] }).catch((error) => error);
    expect(failure).toMatchObject({ code: "cannot_listen", message: expect.stringMatching(`: E\\w+, .*${words}`) });
  });

  it("a port in use says who might hold it", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const events = { emit: () => {}, child: () => events };
      const failure = await serveHttp({ host: "127.0.0.1", port, events, routes: [] }).catch((error) => error);
      expect(failure).toBeInstanceOf(ListenError);
      expect(failure.code).toBe("port_in_use");
      expect(failure.message).toContain(`127.0.0.1:${port} is in use by`);
      if (tellsPeers) expect(failure.message).toContain(`pid ${process.pid} (`);
    } finally {
      holder.close();
    }
  });
});

describe("X-55 who may use a route", () => {
  const answer = async () => jsonAnswer(200, { answered: true });
  const browser = { origin: "http://127.0.0.1:5173" };

  it("X-55 one that declares nothing is for the owner alone", async () => {
    const events = createEvents({ stderr: new PassThrough().resume() });
    const routes = [{ path: "/undeclared", methods: ["GET", "POST"], handle: answer }];
    const server = await serveHttp({ host: "127.0.0.1", port: 0, events, routes, ownerTokens: ["one", "two"] });
    const get = (headers: Record<string, string>) => ask(server.port, "/undeclared", { headers });
    const refused = await get(browser);
    expect(refused.status).toBe(401);
    expect(refused.headers["www-authenticate"]).toBe("Bearer");
    expect(refused.json.error).toEqual({ code: "unauthorized", message: expect.stringContaining("Bearer <token>") });
    const proxies = ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip"];
    const forwarded = ["x-forwarded-for", "x-forwarded-host", "X-Forwarded-Proto", "x-forwarded-anything"];
    for (const name of ["sec-fetch-site", ...proxies, ...forwarded]) {
      expect([name, (await get({ [name]: "none" })).status]).toEqual([name, 401]);
    }
    for (const host of ["localhost", "127.0.0.1:1", "[::1]", "localhost:"]) {
      expect([host, (await get({ host })).status]).toEqual([host, 401]);
    }
    if (tellsPeers) {
      for (const host of ["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${server.port}`)) {
        expect([host, (await get({ host })).status]).toEqual([host, 200]);
      }
    }
    for (const wrong of ["Bearer three", "Bearer one two", "Bearer", "one", "Basic one", "Bearer one, Bearer one"]) {
      expect([wrong, (await get({ ...browser, authorization: wrong })).status]).toEqual([wrong, 401]);
    }
    for (const token of ["one", "two"]) {
      expect((await get({ ...browser, authorization: `Bearer ${token}` })).status).toBe(200);
    }
    await server.stop();
  });

  it("X-55 open is open, and a handler that decides can ask", async () => {
    const routes: HttpRoute[] = [
      { path: "/open", methods: ["GET"], access: "open", handle: answer },
      {
        path: "/asks",
        methods: ["GET"],
        access: "handler",
        handle: async ({ isOwner }) => jsonAnswer(200, { owner: await isOwner() }),
      },
    ];
    const server = await serveRoutes(routes, { ownerTokens: ["one"] });
    expect((await server.ask("/open", { headers: browser })).status).toBe(200);
    expect((await server.ask("/asks", { headers: browser })).json).toEqual({ owner: false });
    const authorization = "Bearer one";
    expect((await server.ask("/asks", { headers: { ...browser, authorization } })).json).toEqual({ owner: true });
    await server.stop();
  });

  it("X-55 a refusal reaches a client that is still sending its body", async () => {
    const server = await serveRoutes([{ path: "/", methods: ["POST"], access: "owner", handle: answer }]);
    const body = "x".repeat(1 << 20);
    expect((await server.ask("/", { body, headers: browser })).status).toBe(401);
    await server.stop();
  });
});
