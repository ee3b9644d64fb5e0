// A remote swe-pruner behind the tools: J-54 … J-64 exactly, through the built bin and a pruner on loopback.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { canBeOtherUser, OTHER, tellsPeers } from "../../kit/test/http/other-user.ts";
import { DEFAULT_PRUNER_URL, getPrunerConfig, pruneContent } from "../src/pruner.ts";
import { type FakePruner, sendJson, startFakePruner } from "./fake-pruner.ts";
import { meterLinesIn, type Server, startServer, type Wire } from "./server-under-test.ts";

const open: (Server | Pick<FakePruner, "close">)[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await ("stop" in each ? each.stop() : each.close());
});

async function start(answer: Parameters<typeof startFakePruner>[0], env: Record<string, string> = {}) {
  const pruner = await startFakePruner(answer);
  const server = await startServer({ env: { PRUNER_ENGINE: "auto", PRUNER_URL: pruner.url, ...env } });
  open.push(server, pruner);
  await writeFile(join(server.root, "a.txt"), "one\ntwo\nthree\n");
  return { pruner, server };
}

const ask = { file_path: "a.txt", context_focus_question: "  what is two?  " };

describe("the request", () => {
  it("J-58 X-10 is a POST of exactly {code, query} with the trimmed question", async () => {
    const { pruner, server } = await start((_body, response) => sendJson(response, { pruned_code: "two" }));
    await server.call("read", ask);
    expect(pruner.requests).toHaveLength(1);
    expect(pruner.requests[0]).toMatchObject({ method: "POST", path: "/prune" });
    expect(pruner.requests[0]?.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(pruner.requests[0]?.body ?? "")).toEqual({ code: "one\ntwo\nthree\n", query: "what is two?" });
  });

  it("J-59 bash sends stdout, or stderr where stdout is empty; grep its rendered lines", async () => {
    const { pruner, server } = await start((body, response) => sendJson(response, { text: JSON.parse(body).code }));
    const codes = () => pruner.requests.map((request) => JSON.parse(request.body).code);
    await server.call("bash", { command: "echo out; echo err >&2", context_focus_question: "q" });
    await server.call("bash", { command: "echo err >&2", context_focus_question: "q" });
    await server.call("grep", { pattern: "t", path: "a.txt", context_focus_question: "q" });
    expect(codes()).toEqual(["out\n", "err\n", "a.txt:2:1:two\na.txt:3:1:three"]);
  });

  it("X-09 too_large: where the variable is set a larger text is not sent", async () => {
    const { pruner, server } = await start((_body, response) => sendJson(response, { text: "x" }), {
      JEEVES_MCP_PRUNER_MAX_PRUNE_INPUT_BYTES: "1024",
    });
    await writeFile(join(server.root, "a.txt"), "long line\n".repeat(200));
    const { pruning } = (await server.call("read", ask)).structuredContent;
    expect(pruning).toEqual({
      attempted: false,
      applied: false,
      fallback: false,
      reason: "too_large",
      raw_bytes: 2000,
    });
    expect(pruner.requests).toHaveLength(0);
  });
});

describe("the answer", () => {
  it.each([
    ["pruned_code", { pruned_code: "P", content: "C", text: "T" }, "P"],
    ["content", { pruned_code: 7, content: "C", text: "T" }, "C"],
    ["text", { text: "T" }, "T"],
  ])("J-61 the first string among pruned_code, content, text: %s", async (_name, body, expected) => {
    const { server } = await start((_body, response) => sendJson(response, body));
    const result = await server.call("read", ask);
    expect(result.structuredContent.content).toBe(expected);
    expect(result.content[0].text).toBe(expected);
  });

  it("J-54 J-56 J-62 X-20 read: applied untouched, even when it is larger than raw; the way back is a second item", async () => {
    const larger = `${"more\n".repeat(50)}(filtered 3 lines)`;
    const { server } = await start((_body, response) => sendJson(response, { pruned_code: larger }));
    const result = await server.call("read", ask);
    const { pruning, content } = result.structuredContent;
    expect(content).toBe(larger);
    expect(pruning).toMatchObject({ attempted: true, applied: true, fallback: false, raw_bytes: 14, engine: "remote" });
    expect(pruning.pruned_bytes).toBe(larger.length);
    expect(pruning.pruner_duration_ms).toBeGreaterThanOrEqual(0);
    expect(pruning).not.toHaveProperty("reason");
    expect(pruning).not.toHaveProperty("error");
    expect(result.content).toHaveLength(2);
    expect(result.content[1].text).toContain(pruning.prune_id);
    const back = await server.call("recover_text", { prune_id: pruning.prune_id });
    expect(back.content[0].text).toBe("one\ntwo\nthree\n");
  });

  it("a cut of a remote pruner is in the meter, and an answer that changes nothing is not", async () => {
    const { server } = await start((body, response) => {
      const { code, query } = JSON.parse(body);
      sendJson(response, { pruned_code: query === "all" ? code : "two" });
    });
    await writeFile(join(server.root, "a.txt"), "one\ntwo\nthree\n".repeat(100));
    await server.call("read", { ...ask, context_focus_question: "all" });
    const { pruning } = (await server.call("read", ask)).structuredContent;
    const cuts = meterLinesIn(server.stateDir).filter(({ kind }) => kind === "cut");
    expect(cuts).toEqual([
      {
        ts: expect.any(String),
        kind: "cut",
        session: expect.stringMatching(/^mcp-/),
        client: "test",
        tool: "read",
        project: server.root,
        raw_tokens: expect.any(Number),
        kept_tokens: expect.any(Number),
        prune_id: pruning.prune_id,
        what: "a.txt",
        focus: "what is two?",
        ms: pruning.pruner_duration_ms,
      },
    ]);
    expect(cuts[0].kept_tokens).toBeLessThan(cuts[0].raw_tokens);
  });

  it("a cut that a text pruner of ours has counted is not counted again", async () => {
    const { server } = await start((_body, response) => {
      response.setHeader("jeeves-prune-id", "prn_aaaaaaaaaaaa");
      sendJson(response, { pruned_code: "two" });
    });
    expect((await server.call("read", ask)).structuredContent).toMatchObject({ content: "two" });
    expect(meterLinesIn(server.stateDir).map(({ kind }) => kind)).toEqual(["surface"]);
  });

  it.each(["off", "shadow"])("X-52 a remote pruner is not asked where the mode is %s", async (mode) => {
    const answer = (_body: string, response: ServerResponse) => sendJson(response, { pruned_code: "two" });
    const { pruner, server } = await start(answer, { JEEVES_MODE: mode });
    const { structuredContent } = await server.call("read", ask);
    expect(structuredContent).toMatchObject({ content: "one\ntwo\nthree\n", pruning: { applied: false } });
    expect(pruner.requests).toEqual([]);
  });

  it("J-62 bash replaces the stream that was sent, and only that", async () => {
    const { server } = await start((_body, response) => sendJson(response, { pruned_code: "P" }));
    const both = await server.call("bash", { command: "echo out; echo err >&2", context_focus_question: "q" });
    expect(both.structuredContent).toMatchObject({ stdout: "P", stderr: "err\n" });
    const one = await server.call("bash", { command: "echo err >&2", context_focus_question: "q" });
    expect(one.structuredContent).toMatchObject({ stdout: "", stderr: "P" });
  });

  it("J-62 a match of a remote pruner's answer was taken for an elision, because of its file's name", async () => {
    const { server } = await start((body, response) => sendJson(response, { pruned_code: JSON.parse(body).code }));
    await writeFile(join(server.root, "⟦a"), "needle ⟧\n");
    const args = { pattern: "needle", path: "⟦a", context_focus_question: "q" };
    const { structuredContent } = await server.call("grep", args);
    expect(structuredContent.matches).toEqual([{ path: "⟦a", line: 1, column: 1, text: "needle ⟧" }]);
  });

  it("J-62 X-11 grep parses the lines back: originals first, elisions skipped, then the line rules", async () => {
    const pruned = "a.txt:3:1:three\n(filtered 1 lines)\n⟦… 2 lines 4-5⟧\nb.txt:9:new";
    const { server } = await start((_body, response) => sendJson(response, { pruned_code: pruned }));
    const result = await server.call("grep", { pattern: "t", path: "a.txt", context_focus_question: "q" });
    expect(result.structuredContent.matches).toEqual([
      { path: "a.txt", line: 3, column: 1, text: "three" },
      { path: "b.txt", line: 9, column: null, text: "new" },
    ]);
    expect(result.structuredContent.match_count).toBe(2);
    // what a remote pruner left out is not listed.
    expect(result.structuredContent).not.toHaveProperty("other_matches");
    expect(result.content[0].text).toBe("a.txt:3:1:three\nb.txt:9:new");
  });

  it("X-11 a match whose text looks like a column is still the original", async () => {
    const { server } = await start((body, response) => sendJson(response, { pruned_code: JSON.parse(body).code }));
    await writeFile(join(server.root, "a.txt"), "7:8:9\n");
    const result = await server.call("grep", { pattern: "7", path: "a.txt", context_focus_question: "q" });
    expect(result.structuredContent.matches).toEqual([{ path: "a.txt", line: 1, column: 1, text: "7:8:9" }]);
  });
});

function sendEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(1 << 20, " ");
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

describe("failure lets the raw output through", () => {
  const fallsBack = (result: Wire, code: string) => {
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent.pruning).toMatchObject({
      attempted: true,
      applied: false,
      fallback: true,
      reason: "pruner_error",
      error: { code },
    });
    expect(result.structuredContent.pruning).not.toHaveProperty("pruned_bytes");
  };

  it("J-60 J-63 timeout", async () => {
    const { server } = await start(() => {}, { PRUNER_TIMEOUT_MS: "150" });
    const result = await server.call("read", ask);
    fallsBack(result, "timeout");
    expect(result.content[0].text).toBe("one\ntwo\nthree\n");
    await server.waitForEvent("pruner.timeout");
    await server.waitForEvent("pruner.call_failed");
  });

  it.each([
    ["http_error", (_body: string, response: Wire) => sendJson(response, { pruned_code: "x" }, 500)],
    ["http_error", (_body: string, response: Wire) => response.destroy()],
    ["invalid_response", (_body: string, response: Wire) => response.end("not json")],
    ["invalid_response", (_body: string, response: Wire) => sendEndlessly(response)],
    ["invalid_response", (_body: string, response: Wire) => sendJson(response, { pruned_code: 7 })],
    ["invalid_response", (_body: string, response: Wire) => sendJson(response, null)],
  ])("J-63 %s", async (code, answer) => {
    const { server } = await start(answer);
    const result = await server.call("read", ask);
    fallsBack(result, code);
    expect(result.structuredContent.content).toBe("one\ntwo\nthree\n");
    expect(await server.waitForEvent(`pruner.${code}`)).toHaveProperty("request_id");
  });

  it("J-63 a pruner that sends us elsewhere is not followed: the text stays where it was sent", async () => {
    const { server, pruner } = await start((_body, response, path) =>
      path === "/prune"
        ? response.writeHead(307, { location: "/elsewhere" }).end()
        : sendJson(response, { pruned_code: "from elsewhere" }),
    );
    fallsBack(await server.call("read", ask), "http_error");
    expect(pruner.requests.map((request) => request.path)).toEqual(["/prune"]);
  });

  it("X-19 X-20 a grep of which the pruner kept nothing is not called one without matches", async () => {
    const { server } = await start((_body, response) => sendJson(response, { pruned_code: "" }));
    const result = await server.call("grep", { pattern: "t", path: "a.txt", context_focus_question: "q" });
    expect(result.structuredContent).toMatchObject({ matches: [], match_count: 2 });
    expect(result.content[0].text).toBe("(none of 2 matches was kept)");
  });

  it("J-62 J-63 a grep answer that does not parse back is invalid_response, with the raw matches", async () => {
    const { server } = await start((_body, response) => sendJson(response, { pruned_code: "this is prose" }));
    const result = await server.call("grep", { pattern: "t", path: "a.txt", context_focus_question: "q" });
    fallsBack(result, "invalid_response");
    expect(result.structuredContent.matches).toHaveLength(2);
  });

  it("X-12 a PRUNER_URL that is no URL is a warning at start and an http_error on each call", async () => {
    const { server } = await start((_body, response) => sendJson(response, {}), { PRUNER_URL: "not a url" });
    expect((await server.waitForEvent("mcp_pruner.config_invalid")).data).toMatchObject({
      name: "PRUNER_URL",
      value: "not a url",
    });
    fallsBack(await server.call("read", ask), "http_error");
  });

  it("X-20 a store that cannot be written does not undo what the pruner returned", async () => {
    const { server } = await start((_body, response) => sendJson(response, { pruned_code: "P" }), {
      JEEVES_STATE_DIR: "/proc/nowhere",
      TMPDIR: "/proc/nowhere",
    });
    const result = await server.call("read", ask);
    expect(result.structuredContent).toMatchObject({ content: "P", pruning: { applied: true } });
    expect(result.structuredContent.pruning).not.toHaveProperty("prune_id");
    expect(result.content).toHaveLength(1);
  });
});

describe("who is asked", () => {
  it("X-06 a remote pruner is never asked about a tool error", async () => {
    const { pruner, server } = await start((_body, response) => sendJson(response, { pruned_code: "P" }));
    const failed = await server.call("bash", { command: "echo out; exit 3", context_focus_question: "q" });
    expect(failed.structuredContent.pruning).toMatchObject({
      attempted: false,
      reason: "disabled_or_unconfigured",
      raw_bytes: 4,
    });
    const silent = await server.call("bash", { command: "echo out; exit 3" });
    expect(silent.structuredContent.pruning).toMatchObject({ attempted: false, reason: "no_focus_question" });
    expect(pruner.requests).toHaveLength(0);
  });

  it("J-57 J-65 X-03 an empty PRUNER_URL turns pruning off under auto and remote", async () => {
    for (const engine of ["auto", "remote"]) {
      const { server } = await start((_body, response) => sendJson(response, {}), {
        PRUNER_ENGINE: engine,
        PRUNER_URL: "",
      });
      const { pruning } = (await server.call("read", ask)).structuredContent;
      expect(pruning).toEqual({
        attempted: false,
        applied: false,
        fallback: false,
        reason: "disabled_or_unconfigured",
        raw_bytes: 14,
      });
    }
  });

  it("J-08 J-55 J-57 without a question no pruner is asked", async () => {
    const { pruner, server } = await start((_body, response) => sendJson(response, { pruned_code: "P" }));
    const { pruning, content } = (await server.call("read", { file_path: "a.txt" })).structuredContent;
    expect(pruning).toMatchObject({ attempted: false, reason: "no_focus_question" });
    expect(content).toBe("one\ntwo\nthree\n");
    expect(pruner.requests).toHaveLength(0);
  });

  it("J-55 J-57 an empty output is not sent", async () => {
    const { pruner, server } = await start((_body, response) => sendJson(response, { pruned_code: "P" }));
    const { pruning } = (await server.call("bash", { command: "true", context_focus_question: "q" })).structuredContent;
    expect(pruning).toMatchObject({ attempted: false, reason: "output_empty", raw_bytes: 0 });
    expect(pruner.requests).toHaveLength(0);
  });

  it.runIf(tellsPeers)(
    "X-03 at the default address nothing is sent before its health says that a model is loaded",
    async () => {
      const health: Wire = { model_loaded: false };
      const pruner = await startFakePruner(
        (_body, response, path) => sendJson(response, path === "/health" ? health : { pruned_code: "P" }),
        { port: 8000 },
      ).catch(() => undefined);
      // Another service on port 8000 would make this test mean nothing.
      expect(pruner, "port 8000 is in use on this machine").toBeDefined();
      if (pruner === undefined) return;
      open.push(pruner);
      const startAtDefault = async () => {
        const server = await startServer({ env: { PRUNER_ENGINE: "auto", PRUNER_URL: DEFAULT_PRUNER_URL } });
        open.push(server);
        await writeFile(join(server.root, "a.txt"), "one\ntwo\nthree\n");
        return server;
      };
      const contentOf = async (server: Server, question: string) =>
        (await server.call("read", { ...ask, context_focus_question: question })).structuredContent.content;
      const paths = () => pruner.requests.map((request) => request.path);

      expect(await contentOf(await startAtDefault(), "first")).toBe("one\ntwo\nthree\n");
      expect(paths()).not.toContain("/prune");

      health.model_loaded = true;
      let server = await startAtDefault();
      // Its health has 100 ms to answer, which a busy machine may not give it; a new server asks again.
      for (let tries = 0; tries < 20 && (await contentOf(server, "first")) !== "P"; tries++)
        server = await startAtDefault();
      expect(await contentOf(server, "again")).toBe("P");
      expect(paths().slice(-3)).toEqual(["/health", "/prune", "/prune"]);
    },
  );

  it.runIf(canBeOtherUser)("X-55 X-03 at the default address another user's listener gets nothing", async () => {
    const program = `require("node:http").createServer((request, response) => {
      process.stdout.write(request.url + "\\n");
      response.end(JSON.stringify({ model_loaded: true, pruned_code: "from another user" }));
    }).on("error", (error) => process.stdout.write(error.code)).listen(8000, "127.0.0.1", () => process.stdout.write("up\\n"));`;
    const other = spawn(process.execPath, ["-e", program], { ...OTHER, cwd: "/", env: {} });
    open.push({ close: async () => void (other.kill() && (await once(other, "close"))) });
    let said = "";
    other.stdout.setEncoding("utf8").on("data", (part) => {
      said += part;
    });
    await once(other.stdout, "data");
    expect(said, "port 8000 is in use on this machine").toBe("up\n");

    const askWith = async (env: Record<string, string>) => {
      const server = await startServer({ env: { PRUNER_ENGINE: "auto", ...env } });
      open.push(server);
      await writeFile(join(server.root, "a.txt"), "one\ntwo\nthree\n");
      const seen: string[] = [];
      // Asked three times: one answer of a health that came too late on a busy machine would prove nothing.
      for (const question of ["first", "second", "third"]) {
        const { structuredContent } = await server.call("read", { ...ask, context_focus_question: question });
        seen.push(structuredContent.content);
      }
      return seen;
    };
    const own = Array.from({ length: 3 }, () => "one\ntwo\nthree\n");
    expect(await askWith({})).toEqual(own);
    expect(await askWith({ PRUNER_URL: DEFAULT_PRUNER_URL })).toEqual(own);
    expect(said).toBe("up\n");
    // Who names the address, or the engine, has chosen it.
    expect(await askWith({ PRUNER_ENGINE: "remote" })).toEqual(own.map(() => "from another user"));
    expect(await askWith({ PRUNER_URL: "http://127.0.0.1:8000/prune" })).toEqual(own.map(() => "from another user"));
  });

  it("X-03 in auto a gate is named as the reason, and no error is invented", async () => {
    const server = await startServer({ env: { PRUNER_ENGINE: "auto" } });
    open.push(server);
    await writeFile(join(server.root, "a.txt"), "one\ntwo\nthree\n");
    const { pruning, content } = (await server.call("read", ask)).structuredContent;
    expect(content).toBe("one\ntwo\nthree\n");
    expect(pruning).toEqual({
      attempted: false,
      applied: false,
      fallback: false,
      reason: "too_small",
      engine: "embedded",
      raw_bytes: 14,
    });
  });
});

describe("the client as a library", () => {
  it("J-64 J-65 J-66 getPrunerConfig resolves the environment, out of range is the default", () => {
    expect(getPrunerConfig({})).toEqual({ url: DEFAULT_PRUNER_URL, timeoutMs: 30_000 });
    expect(DEFAULT_PRUNER_URL).toBe("http://localhost:8000/prune");
    expect(getPrunerConfig({ PRUNER_URL: "", PRUNER_TIMEOUT_MS: "100" })).toEqual({ url: "", timeoutMs: 100 });
    for (const bad of ["99", "300001", "1.5", "soon"])
      expect(getPrunerConfig({ PRUNER_TIMEOUT_MS: bad }).timeoutMs).toBe(30_000);
  });

  it("J-64 pruneContent returns the original code on every failure and never throws", async () => {
    for (const url of ["http://127.0.0.1:1/prune", "not a url", "ftp://127.0.0.1/x"]) {
      const answer = await pruneContent("the code", "q", { url, timeoutMs: 500 });
      expect(answer).toMatchObject({ ok: false, text: "the code", error: { code: "http_error" } });
    }
  });
});
