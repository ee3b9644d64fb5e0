// How a run ends from outside: every process of it is gone afterwards, however it tried to stay.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PROC } from "@jeeves/base";
import { describe, expect, it } from "vitest";
import { createRunProcesses } from "../src/process/processes-of-run.ts";
import { dataOf, runScript } from "./run-under-test.ts";
import { fixture, isRunning, makeTempDir, readEvents, waitUntil } from "./scratch.ts";

const STUBBORN = "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 60000)";
/** In a session of its own, without any mark in its environment, deaf to SIGTERM. */
const HIDDEN = `setsid env -i "${process.execPath}" -e "${STUBBORN}" > "$PIDS" & setsid sleep 1000 & wait`;

describe("a run that is stopped", () => {
  // Processes that left the agent's group are found by /proc alone.
  it.runIf(existsSync(PROC))(
    "J-81 leaves no process, not even one that left the group or scrubbed its environment",
    async () => {
      const dir = await makeTempDir();
      const stop = new AbortController();
      const id = "stopped";
      const pids = join(dir, "pids");
      const env = { JEEVES_PRUNER_ENABLED: "1", PIDS: pids };
      const running = runScript([{ run: ["sh", "-c", HIDDEN] }], { dir, id, env, signal: stop.signal });
      await waitUntil("the hidden child", async () => /^\d+\n/.test(await readFile(pids, "utf8").catch(() => "")));
      const hidden = Number(await readFile(pids, "utf8"));
      const marked = createRunProcesses({ environment: [`JEEVES_RUN_ID=${id}`] });
      await waitUntil("sh and sleep", () => marked.look().length >= 2);
      stop.abort();
      const { outcome } = await running;
      expect(outcome.status).toBe("cancelled");
      expect(marked.look()).toEqual([]);
      await waitUntil("the end of the hidden child", () => !isRunning(hidden));
    },
  );

  it("J-81 a server that stays when its agent is done is ended, and the run with it", async () => {
    const answer = "JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }) + '\\n'";
    const deaf = `process.on('SIGTERM', () => {}); process.stdin.once('data', () => process.stdout.write(${answer})); setInterval(() => {}, 60000)`;
    const mcpServers = { deaf: { command: process.execPath, args: ["-e", deaf] } };
    const { outcome, events } = await runScript([{ say: "Done." }], { mcpServers, id: "deaf" });
    expect(dataOf(events, "agent.server")).toMatchObject({ name: "deaf", status: "connected" });
    expect(outcome).toMatchObject({ status: "completed", text: "Done." });
    expect(createRunProcesses({ environment: ["JEEVES_RUN_ID=deaf"] }).look()).toEqual([]);
  });

  it("J-81 a timeout is a stop with a name of its own", async () => {
    const { outcome, run } = await runScript([{ say: "So far." }, { hold: true }], { timeoutMs: 300 });
    expect(outcome).toMatchObject({ status: "timed_out", text: "So far." });
    expect(run).toMatchObject({ status: "timed_out" });
  });

  it("J-81 a provider that does not listen is left after a while, and its processes are ended", async () => {
    const stop = new AbortController();
    const provider = {
      name: "deaf",
      async *run() {
        yield { kind: "started" as const };
        stop.abort();
        await new Promise(() => {});
      },
    };
    const { outcome } = await runScript([], { provider, signal: stop.signal });
    expect(outcome).toMatchObject({ status: "cancelled", message: "the agent did not stop in time" });
  });

  it("J-81 a provider that throws in the middle is a failed run with its words", async () => {
    const provider = {
      name: "throwing",
      async *run() {
        yield { kind: "started" as const };
        throw new Error("lost the thread");
      },
    };
    const { outcome } = await runScript([], { provider });
    expect(outcome).toMatchObject({ status: "failed", message: "lost the thread" });
  });

  it("J-81 a hanging server that is deaf to SIGTERM is gone with the run", async () => {
    const dir = await makeTempDir();
    const env = { JEEVES_PRUNER_ENABLED: "1", JEEVES_MCP_PRUNER_PATH: fixture("hanging-server.mjs") };
    const { outcome } = await runScript([{ say: "Done." }], { dir, env, serverStartMs: 500 });
    const log = join(outcome.dir ?? "", "events.jsonl");
    expect(createRunProcesses({ environment: [`JEEVES_EVENT_LOG=${log}`] }).look()).toEqual([]);
    expect(dataOf(await readEvents(outcome.dir ?? ""), "mcp_pruner.disabled")).toEqual({ reason: "start_failed" });
  });
});
