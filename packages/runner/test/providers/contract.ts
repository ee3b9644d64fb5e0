// What every provider must do, whoever's agent it drives: one suite. Each provider acts out the same few prompts.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRunProcesses } from "../../src/process/processes-of-run.ts";
import type { AgentProvider, ProviderEvent, ProviderRunOptions } from "../../src/provider.ts";
import { providerEventSchema } from "../../src/provider.ts";
import { isRunning, makeTempDir, waitUntil } from "../scratch.ts";

export type Prompt =
  | "answer"
  | "calls"
  | "fail"
  | "hold"
  | "huge"
  | "native"
  | "die"
  | "garbage"
  | "retry"
  | "complain"
  | "torn";

export interface ProviderUnderTest {
  readonly name: string;
  /** A provider that acts out the prompt in `dir`, and what else it needs in its environment. */
  create(prompt: Prompt, dir: string): Promise<{ readonly provider: AgentProvider; readonly env: NodeJS.ProcessEnv }>;
}

export interface Collected {
  readonly events: readonly ProviderEvent[];
  readonly cwd: string;
}

export async function collect(
  under: ProviderUnderTest,
  prompt: Prompt,
  more: Partial<ProviderRunOptions> & { readonly onEvent?: (event: ProviderEvent) => void } = {},
): Promise<Collected> {
  const { onEvent, ...options } = more;
  const dir = await makeTempDir();
  const cwd = join(dir, "project");
  await mkdir(cwd);
  const { provider, env } = await under.create(prompt, dir);
  const events: ProviderEvent[] = [];
  const signal = options.signal ?? new AbortController().signal;
  for await (const event of provider.run(prompt, { cwd, signal, ...options, env: { ...env, ...options.env } })) {
    events.push(event);
    onEvent?.(event);
  }
  return { events, cwd };
}

export const lastOf = (events: readonly ProviderEvent[]) => events.at(-1);
export const kindsOf = (events: readonly ProviderEvent[]) => events.map(({ kind }) => kind);

export function describeProvider(under: ProviderUnderTest): void {
  describe(`the provider ${under.name}`, () => {
    it("J-92 begins with started, ends with one ended, and says nothing that the union does not know", async () => {
      const { events } = await collect(under, "answer");
      for (const event of events) expect(providerEventSchema.parse(event)).toEqual(event);
      expect(events[0]?.kind).toBe("started");
      expect(kindsOf(events).filter((kind) => kind === "started" || kind === "ended")).toEqual(["started", "ended"]);
      expect(lastOf(events)).toEqual({ kind: "ended", status: "completed", text: "The answer." });
      expect(kindsOf(events).indexOf("turn_ended")).toBe(events.length - 2);
    });

    it("J-92 a call of a server's tool is mcp:SERVER/TOOL, and its result carries its sizes", async () => {
      const { events } = await collect(under, "answer");
      const call = events.find((event) => event.kind === "tool_call");
      const result = events.find((event) => event.kind === "tool_result");
      expect(call).toMatchObject({ tool: "mcp:pruner/read", input: { file_path: "a.ts" } });
      expect(result).toEqual({
        kind: "tool_result",
        id: call?.id,
        tool: "mcp:pruner/read",
        isError: false,
        text: "kept lines",
        sizes: { rawBytes: 9000, keptBytes: 900, recoveredBytes: 0 },
      });
    });

    it("J-92 usage is of the whole run, cached tokens included in what went in", async () => {
      const { events } = await collect(under, "answer");
      expect(events.findLast((event) => event.kind === "usage")?.usage).toEqual({
        inputTokens: 500,
        cachedInputTokens: 100,
        outputTokens: 50,
      });
    });

    it("J-92 every result belongs to a call that came before it", async () => {
      const { events } = await collect(under, "calls");
      const calls = new Set<string>();
      let resultCount = 0;
      for (const event of events) {
        if (event.kind === "tool_call") calls.add(event.id);
        if (event.kind !== "tool_result") continue;
        expect(calls).toContain(event.id);
        resultCount++;
      }
      expect({ calls: calls.size, resultCount }).toEqual({ calls: 5, resultCount: 5 });
    });

    it("J-80 a failure of the agent is an end with its reason, not a throw", async () => {
      const { events } = await collect(under, "fail");
      expect(lastOf(events)).toMatchObject({ kind: "ended", status: "failed", message: "the model said no" });
    });

    it("J-92 maxTurns ends the run as max_turns after so many answers", async () => {
      const { events } = await collect(under, "calls", { maxTurns: 2 });
      expect(lastOf(events)).toMatchObject({
        kind: "ended",
        status: "max_turns",
        message: expect.stringContaining("2"),
      });
      expect(kindsOf(events).filter((kind) => kind === "tool_result")).toHaveLength(2);
    });

    it("J-81 an abort ends the stream as cancelled, and the agent's process with it", async () => {
      const stop = new AbortController();
      const processes = createRunProcesses({ environment: ["CONTRACT_RUN=1"] });
      const pids: number[] = [];
      const { events } = await collect(under, "hold", {
        signal: stop.signal,
        env: { CONTRACT_RUN: "1" },
        onProcess(pid) {
          pids.push(pid);
          processes.addRoot(pid);
        },
        onEvent(event) {
          if (event.kind !== "message" && event.kind !== "tool_call") return;
          processes.look();
          stop.abort();
        },
      });
      expect(lastOf(events)).toMatchObject({ kind: "ended", status: "cancelled" });
      expect(pids.length).toBeGreaterThan(0);
      for (const pid of pids) await waitUntil(`the end of ${pid}`, () => !isRunning(pid));
      // What left the group, and does not listen to SIGTERM, is the runner's to find.
      await processes.end({ graceMs: 0 });
      expect(processes.look()).toEqual([]);
    });

    it("J-81 an abort before the start ends it just as well", async () => {
      const { events } = await collect(under, "hold", { signal: AbortSignal.abort() });
      expect(lastOf(events)).toMatchObject({ kind: "ended", status: "cancelled" });
    });
  });
}
