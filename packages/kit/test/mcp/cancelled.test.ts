// A cancelled request has no answer, wherever its cancellation finds it, and nothing of it stays.
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createDispatcher, type Profile, serveTcp } from "../../src/mcp/index.ts";
import { createSession, type Session } from "../../src/mcp/session.ts";
import { profile } from "../fixture-tools.ts";
import { connectTo, quiet } from "./transports.ts";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: "2.0", id, method, params });
const cancel = (requestId: number) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });

describe.each([
  ["2025-11-25", {}],
  ["2026-07-28", { _meta: ENVELOPE }],
])("a method that takes its time, %s", (_version, params) => {
  it.each(["answers", "throws"])("settles without an answer when it was cancelled and then %s", async (how) => {
    let finish = (_value: object) => {};
    const slow = () =>
      new Promise<object>((resolve, reject) => {
        finish = how === "answers" ? resolve : reject;
      });
    const own: Profile = { ...profile, methods: { slow } };
    const dispatcher = createDispatcher(own, { events: quiet(), env: {} });
    const session: Session = createSession({ notify: () => {} });
    const asked = dispatcher.receiveValue(request(1, "slow", params), session);
    await dispatcher.receiveValue(request(2, "tools/list", params), session); // so that the first one is under way
    await dispatcher.receiveValue(cancel(1), session);
    await dispatcher.receiveValue(request(3, "tools/list", params), session);
    finish(new Error("never told"));
    expect(await asked).toBeUndefined();
    expect(session.running).toBe(0);
  });
});

it("X-55 a TCP connection ends although calls were cancelled while their owner was looked up", async () => {
  const server = await serveTcp(profile, { events: quiet(), env: {}, port: 0, drainMs: 3_600_000 });
  const socket = await connectTo({ port: server.port });
  const calls = [1, 2, 3].flatMap((id) => [request(id, "tools/call", { name: "none" }), cancel(id)]);
  const lines = [request(0, "ping"), ...calls, request(4, "tools/list")].map((message) => JSON.stringify(message));
  const closed = once(socket, "close");
  const answers = text(socket);
  socket.end(`${lines.join("\n")}\n`);
  await closed;
  const ids = (await answers)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual([0, 4]);
  expect(await server.stop()).toEqual({ graceful: true });
});

it("a POST cancels no request of another one, though their ids are the same", async () => {
  let finish = (_value: object) => {};
  const slow = () =>
    new Promise<object>((resolve) => {
      finish = resolve;
    });
  const dispatcher = createDispatcher({ ...profile, methods: { slow } }, { events: quiet(), env: {} });
  const [one, other] = [1, 2].map(() => createSession({ notify: () => {}, isStateless: true }));
  if (one === undefined || other === undefined) throw new Error("two sessions");
  const asked = dispatcher.receiveValue(request(1, "slow"), one);
  await dispatcher.receiveValue(cancel(1), other);
  await dispatcher.receiveValue(request(1, "ping"), other);
  finish({ status: "done" });
  expect(JSON.parse((await asked)?.text ?? "null")).toMatchObject({ id: 1, result: { status: "done" } });
});
