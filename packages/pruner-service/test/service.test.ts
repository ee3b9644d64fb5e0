// The built bin as a service: configuration, bounds, two of them on one store, death and restart.

import { constants } from "node:buffer";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskStore } from "@jeeves/state";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { tellsPeers } from "../../kit/test/http/other-user.ts";
import { configSchema, maxBodyBytesFor } from "../src/index.ts";
import { pruneArgs, type Service, spawnService, startService, type Wire } from "./service-under-test.ts";
import { PYTHON, RETRY_GOAL } from "./texts.ts";

let dir: string;
const services: Service[] = [];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "jeeves-service-"));
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const start = async (options: Parameters<typeof startService>[0] = {}) => {
  const service = await startService(options);
  services.push(service);
  return service;
};
const whole = (prune_id: string) => ({
  prune_id,
  ranges: [{ start_line: 1, end_line: 1e9 }],
  include_line_numbers: false,
});
const fails = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { exit, stderr } = spawnService({ stateDir: dir, args, env });
  return { code: (await exit).code, stderr: stderr() };
};

describe("recovery", () => {
  it("K-43 X-21 X-42 survives SIGKILL and a restart, for every range", async () => {
    const stateDir = join(dir, "killed");
    const first = await start({ stateDir });
    const { prune_id, annotations } = await first.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    expect(await first.kill("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
    const second = await start({ stateDir });
    const lines = PYTHON.replace(/\n$/, "").split("\n");
    expect((await second.tool("recover_text", whole(prune_id))).raw_text).toBe(lines.join("\n"));
    for (const { original_start_line: start_line, original_end_line: end_line } of annotations) {
      const args = { prune_id, ranges: [{ start_line, end_line }], include_line_numbers: false };
      expect((await second.tool("recover_text", args)).raw_text).toBe(lines.slice(start_line - 1, end_line).join("\n"));
    }
  });

  it("X-21 two services share one store: what one cut, the other recovers", async () => {
    const stateDir = join(dir, "shared");
    const [one, two] = await Promise.all([start({ stateDir }), start({ stateDir })]);
    const texts = Array.from({ length: 8 }, (_, index) => `${PYTHON}# ${index}\n`);
    const cuts = await Promise.all(
      texts.map((text, index) => (index % 2 === 0 ? one : two).tool("prune_text", pruneArgs(text, RETRY_GOAL))),
    );
    const back = await Promise.all(
      cuts.map(({ prune_id }: Wire, index) => (index % 2 === 0 ? two : one).tool("recover_text", whole(prune_id))),
    );
    expect(back.map((each) => `${each.raw_text}\n`)).toEqual(texts);
  });

  it("X-55 what anyone sends to /rpc and /prune pushes no session's text out of a full store", async () => {
    const stateDir = join(dir, "full");
    const limit = { JEEVES_STORE_MAX_BYTES: "200000" };
    const store = createDiskStore({ env: { JEEVES_STATE_DIR: stateDir, ...limit } });
    const text = "cut by a session\n".repeat(500);
    const cut = { text, focus: "f", options: {}, source: { tool: "read" }, project: "/project" };
    const { pruneId } = await store.put(cut);
    const service = await start({ stateDir, env: limit });
    const ids: string[] = [];
    for (let i = 0; i < 40; i++) {
      const code = `${PYTHON}# ${i}\n`.padEnd(8_000, "#");
      if (i % 2 === 0) ids.push((await service.tool("prune_text", pruneArgs(code, RETRY_GOAL))).prune_id);
      else expect((await service.prune({ query: RETRY_GOAL, code })).status).toBe(200);
    }
    // The first of them is gone, so the limit was reached.
    expect((await service.call("recover_text", whole(ids[0] ?? ""))).error?.code).toBe(-32004);
    expect((await store.get(pruneId))?.text).toBe(text);
  });

  it("K-42 K-37 after the TTL an id is -32004", async () => {
    const service = await start({ args: ["--port", "0", "--prune-id-ttl-s", "1"] });
    const { prune_id } = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    const codeNow = async () => (await service.call("recover_text", whole(prune_id))).error?.code;
    await expect.poll(codeNow, { timeout: 30_000 }).toBe(-32004);
  });

  it("K-04 K-39 what cannot be stored is not cut", async () => {
    const stateDir = join(dir, "blocked");
    // A file where the directories should be: not even root can make them.
    writeFileSync(stateDir, "");
    const tmp = join(dir, "blocked-tmp");
    mkdirSync(tmp);
    writeFileSync(join(tmp, `jeeves-${process.getuid?.()}`), "");
    chmodSync(tmp, 0o700);
    const service = await start({ stateDir, env: { TMPDIR: tmp, HOME: dir } });
    const answer = await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    expect(answer).toMatchObject({ pruned_text: PYTHON, annotations: [], warnings: ["recovery_unavailable"] });
    expect(answer.stats.used_fallback).toBe(true);
    const { json } = await service.prune({ query: RETRY_GOAL, code: PYTHON, max_prune_ratio: 0.6 });
    expect(json.pruned_code).toBe(PYTHON);
    expect(json.error_msg).toContain("recovery_unavailable");
    const logged = () => service.events.filter(({ event }) => event === "pruner.fallback").map(({ data }) => data);
    const why = { message: expect.stringContaining(stateDir), hint: expect.stringContaining("JEEVES_STATE_DIR") };
    const warnings = ["recovery_unavailable"];
    await expect.poll(logged, { timeout: 30_000 }).toEqual([
      { tool: "prune_text", warnings, ...why },
      { tool: "/prune", warnings, ...why },
    ]);
  });
});

describe("bounds", () => {
  it("K-34 a text over the limit comes back whole, and can be recovered; characters are code points", async () => {
    const service = await start({ env: { MCP_PRUNER_MAX_INPUT_CHARS: "100" } });
    const fits = "😀".repeat(50) + "\nb".repeat(25);
    const cut = await service.tool("prune_text", pruneArgs(fits, "b", { source_type: "docs" }));
    expect(cut.warnings).toEqual([]);
    const long = `${fits}!`;
    const answer = await service.tool(
      "prune_text",
      pruneArgs(long, "b", { source_type: "docs", annotate_lines: true }),
    );
    expect(answer).toMatchObject({ pruned_text: long, annotations: [], warnings: ["input_too_large"] });
    expect(answer.stats.used_fallback).toBe(true);
    expect((await service.tool("recover_text", whole(answer.prune_id))).raw_text).toBe(long);
    const { json } = await service.prune({ query: "b", code: long });
    expect(json).toMatchObject({ pruned_code: long, error_msg: expect.stringContaining("input_too_large") });
  });

  it("a text of one 5 MB line comes back whole", async () => {
    const service = await start();
    const text = "word ".repeat(1_048_576);
    const answer = await service.tool("prune_text", pruneArgs(text, "word"));
    expect(answer.warnings).toEqual(["input_too_large"]);
    expect(answer.pruned_text === text).toBe(true);
  });

  it("K-27 a long cut holds up neither health nor a short cut", async () => {
    const service = await start();
    await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL));
    const text = Array.from({ length: 40_000 }, (_, index) => `const value${index} = compute(${index});`).join("\n");
    const order: string[] = [];
    const long = service.tool("prune_text", pruneArgs(text, "value7")).then(() => order.push("long"));
    const short = service.tool("prune_text", pruneArgs(`${PYTHON}\n`, RETRY_GOAL)).then(() => order.push("short"));
    const health = service.rpc("health").then(() => order.push("health"));
    await Promise.all([long, short, health]);
    expect(order.at(-1)).toBe("long");
  });

  it("64 clients at once are all answered, each with its own text", async () => {
    const service = await start();
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        service.tool("prune_text", pruneArgs(`${PYTHON}# client ${index}\n`, `${RETRY_GOAL} client ${index}`)),
      ),
    );
    expect(new Set(answers.map((answer) => answer.prune_id)).size).toBe(64);
    for (const [index, answer] of answers.entries()) expect(answer.pruned_text).toContain(`# client ${index}`);
  });
});

describe("start and stop", () => {
  it("K-42 X-42 the defaults are 127.0.0.1, 8006, 2000000 characters and 14 days", async () => {
    const { exit, child } = spawnService({ stateDir: dir, args: ["--help"] });
    let help = "";
    child.stdout.on("data", (part) => {
      help += part;
    });
    expect((await exit).code).toBe(0);
    expect(help).toMatch(/--host, MCP_PRUNER_HOST .*default 127\.0\.0\.1/);
    expect(help).toMatch(/--port, MCP_PRUNER_PORT .*default 8006/);
    expect(help).toMatch(/MCP_PRUNER_MAX_INPUT_CHARS .*default 2000000/);
    expect(help).toMatch(/MCP_PRUNER_PRUNE_ID_TTL_S .*default 1209600/);
  });

  it("K-42 the environment configures it, and flags win over it", async () => {
    const service = await start({ env: { MCP_PRUNER_PORT: "1", MCP_PRUNER_HOST: "::1" }, args: ["--port", "0"] });
    expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await service.rpc("health")).result.status).toBe("healthy");
  });

  it("K-42 the longest text that can be configured has a body that Node can read", () => {
    expect(configSchema.parse({ MCP_PRUNER_MAX_INPUT_CHARS: "67000000" }).MCP_PRUNER_MAX_INPUT_CHARS).toBe(67_000_000);
    expect(maxBodyBytesFor(67_000_000)).toBeLessThanOrEqual(constants.MAX_STRING_LENGTH);
  });

  it.each([
    [["--port", "65536"], {}, "--port"],
    [["--port", "http"], {}, "--port"],
    [["--nonsense"], {}, "--nonsense"],
    [[], { MCP_PRUNER_MAX_INPUT_CHARS: "many" }, "MCP_PRUNER_MAX_INPUT_CHARS"],
    [["--max-input-chars", "67000001"], {}, "expected an integer from 1 to 67000000"],
    [[], { MCP_PRUNER_PRUNE_ID_TTL_S: "-1" }, "MCP_PRUNER_PRUNE_ID_TTL_S"],
    [[], { MCP_PRUNER_PORT: "" }, 'MCP_PRUNER_PORT="": expected an integer from 0 to 65535'],
    [[], { JEEVES_STORE_MAX_BYTES: "100MB" }, 'JEEVES_STORE_MAX_BYTES="100MB": expected an integer, at least 1'],
    [["--host", "0.0.0.0", "--port", "0"], {}, "--host"],
    [["--port", "0"], { MCP_PRUNER_HOST: "192.168.1.1" }, "JEEVES_TOKEN"],
  ] as [string[], Record<string, string>, string][])(
    "K-42 X-15 %j %j: exit 2, and the value is named",
    async (args, env, named) => {
      const { code, stderr } = await fails(args, env);
      expect(code).toBe(2);
      expect(stderr).toContain(named);
    },
  );

  it.each(["two words", "tab\there", "clé", " "])(
    "X-15 a token that no header can carry (%j): exit 2, and it is not shown",
    async (token) => {
      const { code, stderr } = await fails(["--port", "0"], { JEEVES_TOKEN: token });
      expect(code).toBe(2);
      expect(stderr).toContain('JEEVES_TOKEN="(not shown)": expected visible ASCII characters and no blanks');
    },
  );

  it("X-15 any other token is one, and its header is accepted", async () => {
    const token = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
    const service = await start({ env: { JEEVES_TOKEN: token } });
    expect((await fetch(`${service.url}/health`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  it("X-15 beyond loopback it wants its token", async () => {
    const service = await start({ args: ["--host", "0.0.0.0", "--port", "0"], env: { JEEVES_TOKEN: "s3cret" } });
    const url = `http://127.0.0.1:${service.port}/health`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { authorization: "Bearer s3cret" } })).status).toBe(200);
  });

  it("a port in use: exit 2, and who might hold it", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => holder.once("listening", resolve));
    const address = holder.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, stderr } = await fails(["--port", String(port)]);
    holder.close();
    expect(code).toBe(2);
    const failed: Wire = JSON.parse(stderr.split("\n").find((line) => line.includes("start_failed")) ?? "{}");
    expect(failed.data.code).toBe("port_in_use");
    expect(failed.data.message).toContain(`127.0.0.1:${port} is in use by`);
    if (tellsPeers) expect(failed.data.message).toContain(`pid ${process.pid} (`);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("%s: what is in flight is answered, then it exits 0", async (signal) => {
    const service = await start();
    await service.tool("prune_text", pruneArgs(PYTHON, RETRY_GOAL)); // all is loaded: the next takes no longer than it must
    const text = Array.from({ length: 1_500 }, (_, index) => `const value${index} = compute(${index});`).join("\n");
    const inFlight = service.tool("prune_text", pruneArgs(text, "value7"));
    const received = () => service.events.filter((event) => event.event === "tool.request_received").length;
    await expect.poll(received, { timeout: 30_000, interval: 1 }).toBe(2);
    const end = await service.kill(signal);
    expect(end).toEqual({ code: 0, signal: null });
    expect((await inFlight).stats.original_lines).toBe(1_500);
    expect(service.events.at(-1)).toMatchObject({ event: "pruner.stopped", data: { graceful: true } });
  });

  it("K-06 X-39 nothing goes out: a foreign Host or Origin is not even let in", async () => {
    const service = await start();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const headers = { "content-type": "application/json", origin: "https://evil.example" };
    expect((await fetch(`${service.url}/rpc`, { method: "POST", headers, body })).status).toBe(403);
    expect((await fetch(`${service.url}/health`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  });
});
