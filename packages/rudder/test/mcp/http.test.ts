// The haven as a route of an HTTP server, asked by the real MCP client and by plain requests.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Events } from "@jeeves/kit/events";
import { type HttpServer, serveHttp } from "@jeeves/kit/http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { locate } from "../../src/haven/locate.ts";
import { createRudderRoute } from "../../src/http.ts";
import { type Json, makeProject, type TestHaven } from "../haven-under-test.ts";

const events: Events = { emit: () => {}, child: () => events };
/** Not every system tells the user at the other end of a connection. */
const AUTH = { authorization: "Bearer the-token" };
let test: TestHaven;
let server: HttpServer;
beforeAll(async () => {
  test = await makeProject(3);
  const env = test.env();
  const place = await locate({ cwd: test.project, root: test.project, haven: test.haven, home: test.dir, env });
  const routes = [createRudderRoute(place, { path: "/rudder", events, env })];
  server = await serveHttp({ host: "127.0.0.1", port: 0, routes, events, ownerTokens: ["the-token"] });
});
afterAll(async () => {
  await server?.stop();
  test?.remove();
});

async function openClient(name: string) {
  const client = new Client({ name, version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/rudder`), { requestInit: { headers: AUTH } }),
  );
  return {
    call: async (tool: string, id: string) => {
      const { content, isError } = await client.callTool({ name: tool, arguments: { task_id: id } });
      return { text: JSON.stringify(content), isError: isError === true };
    },
    close: () => client.close(),
  };
}

it("X-30 X-31 two sessions are two connections: one claims, the other is told who holds it", async () => {
  const [first, second] = [await openClient("first"), await openClient("second")];
  try {
    expect(await first.call("assign_claim", "T001")).toMatchObject({ text: expect.stringContaining("claimed") });
    expect(await first.call("assign_claim", "T001")).toMatchObject({ text: expect.stringContaining("renewed") });
    const refused = await second.call("assign_claim", "T001");
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("http ") });
    expect(await first.call("assign_release", "T001")).toMatchObject({ isError: false });
  } finally {
    await Promise.all([first.close(), second.close()]);
  }
});

it("X-30 X-31 a request without a session is a connection of its own, and anyone may release what it holds", async () => {
  const call = async (tool: string) => {
    const params = { name: tool, arguments: { task_id: "T002" } };
    const answer = await fetch(`${server.url}/rudder`, {
      method: "POST",
      headers: { "content-type": "application/json", ...AUTH },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const { result }: Json = await answer.json();
    return result;
  };
  expect((await call("assign_claim")).isError).toBeUndefined();
  expect(await call("assign_claim")).toMatchObject({ isError: true });
  expect((await call("assign_release")).isError).toBeUndefined();
});

it("X-64 the haven that rudder init makes is found by a server that was started before", async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "rudder-later-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  const env = { HOME: home, PATH: process.env.PATH ?? "" };
  const routes = [createRudderRoute(await locate({ cwd, home, env }), { path: "/rudder", events, env })];
  const own = await serveHttp({ host: "127.0.0.1", port: 0, routes, events, ownerTokens: ["the-token"] });
  onTestFinished(async () => void (await own.stop()));
  const call = async (name: string, args: Json = {}) => {
    const params = { name, arguments: args };
    const answer = await fetch(`${own.url}/rudder`, {
      method: "POST",
      headers: { "content-type": "application/json", ...AUTH },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const { result }: Json = await answer.json();
    return result;
  };
  expect(await call("status")).toMatchObject({ isError: true });
  expect((await call("cli", { command: "init" })).isError).toBeUndefined();
  expect((await call("status")).isError).toBeUndefined();
  expect((await call("cli", { command: 'prd create "Shop"' })).isError).toBeUndefined();
});
