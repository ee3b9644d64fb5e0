// The pruner's life with what it sees made by hand: the order of events that a real server shows only by chance.
import { describe, expect, it } from "vitest";
import type { McpConfig } from "../../src/mcpConfig.ts";
import { createPrunerLife } from "../../src/wiring/pruner-life.ts";
import type { RunState } from "../../src/wiring/run-states.ts";

const enabled: McpConfig = { kind: "enabled", mcpServers: { pruner: { command: "node" } } };
const ready = { ts: "", level: "info" as const, event: "mcp_pruner.ready" };

function start({ isAlive = true }: { readonly isAlive?: boolean } = {}) {
  const events: { event: string; data?: object }[] = [];
  const server = { isAlive, isStopping: false };
  const life = createPrunerLife({
    emit: (_level, event, data) => events.push({ event, ...(data === undefined ? {} : { data }) }),
    onState: () => {},
    catchUp: async () => {},
    findServer: () => ({ isAlive: () => server.isAlive }),
    endServer: async () => 1,
    isStopping: () => server.isStopping,
  });
  life.begin(enabled);
  life.onServerRecord(ready);
  const fail = (text: string, more: object = {}) =>
    life.onProviderEvent({ kind: "tool_result", id: "1", tool: "mcp:pruner/bash", isError: true, text, ...more });
  return { life, events, server, fail };
}

it("J-80 a pruner that hung at its start held its agent up after the runner had given up: it is ended", async () => {
  const dropped = new Promise<RunState>((resolve) => {
    const life = createPrunerLife({
      emit: () => {},
      onState: () => {},
      catchUp: async () => {},
      findServer: () => undefined,
      endServer: async () => 0,
      dropServer: () => resolve(life.state),
      readyWithinMs: 1,
    });
    life.begin(enabled);
  });
  expect(await dropped).toBe("run:mcp_pruner_disabled");
});

describe("running", () => {
  it("J-80 an error that the server itself reported is not its death, whatever it says", async () => {
    const { life, fail } = start();
    await fail("Connection closed", { sizes: { rawBytes: 17, keptBytes: 17, recoveredBytes: 0 } });
    await fail("MCP error -32602: Invalid params");
    await life.onProviderEvent({ kind: "tool_result", id: "2", tool: "Bash", isError: true, text: "Transport closed" });
    expect(life.state).toBe("run:mcp_pruner_running");
  });

  it("J-72 a call that gets no answer from a server that lives: unreachable", async () => {
    const { life, events, fail } = start();
    await fail("tool call error: timed out awaiting tools/call after 300s");
    expect(life.state).toBe("run:mcp_pruner_degraded");
    expect(events.at(-1)).toEqual({ event: "mcp_pruner.degraded", data: { reason: "unreachable" } });
  });

  it("J-72 a closed connection to a server that is gone: exited; to one that lives: unreachable", async () => {
    const gone = start({ isAlive: false });
    await gone.fail("Transport closed");
    expect(gone.events.at(-1)?.data).toEqual({ reason: "exited" });
    const alive = start();
    await alive.fail("MCP error -32000: Connection closed");
    expect(alive.events.at(-1)?.data).toEqual({ reason: "unreachable" });
  });

  it("J-81 the servers of a run that is stopped end with it: that is no failure", async () => {
    const { life, server, events, fail } = start();
    server.isStopping = true;
    server.isAlive = false;
    await life.tick();
    await fail("Connection closed");
    await life.shutdown();
    expect(life.states).toEqual(["run:init", "run:mcp_pruner_starting", "run:mcp_pruner_running", "run:shutdown"]);
    expect(events).toEqual([]);
  });

  it("J-81 the agent may stop its servers when its turn is over: that is no failure", async () => {
    const { life, server, events } = start();
    await life.onProviderEvent({ kind: "turn_ended" });
    server.isAlive = false;
    await life.tick();
    await life.shutdown();
    expect(life.states).toEqual(["run:init", "run:mcp_pruner_starting", "run:mcp_pruner_running", "run:shutdown"]);
    expect(events).toEqual([]);
  });

  it("J-78 a second server that the agent starts does not bring the first one back", async () => {
    const { life, server, events } = start();
    server.isAlive = false;
    await life.tick();
    life.onServerRecord(ready);
    await life.tick();
    expect(life.state).toBe("run:mcp_pruner_degraded");
    await life.shutdown();
    expect(events).toEqual([
      { event: "mcp_pruner.degraded", data: { reason: "exited" } },
      { event: "mcp_pruner.shutdown_after_degraded", data: { terminated: 1 } },
    ]);
  });

  it.each([
    [{ code: 7 }, { exit_code: 7 }],
    [{ code: 137 }, { signal: "SIGKILL" }],
    [{ code: 134 }, { signal: "SIGABRT" }],
    [{}, {}],
  ])("J-72 the degraded event said nothing of how the server ended: %j", async (data, told) => {
    const { life, server, events } = start();
    life.onServerRecord({ ts: "", level: "warn", event: "mcp_pruner.exited", data });
    server.isAlive = false;
    await life.tick();
    expect(events).toEqual([{ event: "mcp_pruner.degraded", data: { reason: "exited", ...told } }]);
  });

  it("J-78 the end of a run can be told twice", async () => {
    const { life } = start();
    await life.shutdown();
    await life.shutdown();
    expect(life.states.filter((state) => state === "run:shutdown")).toHaveLength(1);
  });
});
