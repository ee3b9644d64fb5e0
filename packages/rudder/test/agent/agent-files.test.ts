// The files of an agent and the rules behind them: states, missions, results, settings. Pure, save for the record.

import { existsSync } from "node:fs";
import { PROC } from "@jeeves/base";
import { currentProcess } from "@jeeves/state";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type AgentRecord, shownState, toState } from "../../src/agent/agent-record.ts";
import { AGENT_STATES, isOver, mayFollow } from "../../src/agent/agent-states.ts";
import { changeAgent, readAgentRecord, withAgent } from "../../src/agent/agent-store.ts";
import {
  areSocketsRefused,
  composeSrtSettings,
  exposureNote,
  NO_SETTINGS,
  parseSrtSettings,
} from "../../src/agent/sandbox/srt-settings.ts";
import { composeMission, parseMissionFile, toMissionFile, toPrompt } from "../../src/agent/start/mission.ts";
import { composeResult } from "../../src/agent/supervise/result.ts";
import { openFileStore } from "../../src/index.ts";
import { socketConfig } from "../../src/mcp/mcp-config.ts";
import { makeProject, type TestHaven } from "../haven-under-test.ts";

const made: TestHaven[] = [];
afterAll(() => {
  for (const test of made) test.remove();
});

const AT = "2026-01-02T03:04:05.000Z";
const SPACE = { bootId: "another boot", startTicks: 1, space: "nowhere pid:[0]" };
const RECORD: AgentRecord = {
  version: 1,
  task_id: "T001",
  name: "agent-T001",
  attempt: 1,
  provider: "scripted",
  state: "spawned",
  history: [{ state: "spawned", at: AT }],
  spawner: { pid: 1, ...SPACE },
  mark: "m",
  sandbox: false,
  project: "/p",
  cwd: "/p",
  timeout_s: 1,
  spawned_at: AT,
};

describe("the record", () => {
  it("RU-17 spawned, then completed or error, then reaped, rejected or killed; no way leads back", () => {
    expect(AGENT_STATES.filter((state) => mayFollow("spawned", state))).toEqual(["completed", "error", "killed"]);
    for (const state of ["completed", "error", "killed"] as const) {
      expect(AGENT_STATES.filter((next) => mayFollow(state, next))).toEqual(
        expect.arrayContaining(["reaped", "rejected"]),
      );
    }
    expect(AGENT_STATES.filter(isOver)).toEqual(["reaped", "rejected"]);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...AGENT_STATES)), (wishes) => {
        let record = RECORD;
        for (const to of wishes) {
          if (mayFollow(record.state, to)) record = toState(record, to, { at: AT });
          else expect(() => toState(record, to, { at: AT })).toThrow(`cannot become ${to}`);
        }
        const states = record.history.map(({ state }) => state);
        expect(new Set(states).size).toBe(states.length);
        expect(states.at(-1)).toBe(record.state);
      }),
    );
  });

  it("RU-17 X-54 the record is one file, changed by one at a time, and only by its own attempt", async () => {
    const test = await makeProject(1);
    made.push(test);
    const home = { store: openFileStore({ haven: test.haven }), place: { haven: test.haven }, env: {} };
    await withAgent(home, "T001", ({ write }) => write(RECORD));
    const changes = Array.from({ length: 20 }, (_, index) =>
      changeAgent(home, RECORD, (now) => ({ ...now, message: `${now.message ?? ""}${index % 10}` })),
    );
    await Promise.all(changes);
    expect((await readAgentRecord(home, "T001"))?.message).toHaveLength(20);
    expect(await changeAgent(home, { task_id: "T001", mark: "later" }, (now) => now)).toBeUndefined();
    expect(JSON.parse(test.read("agents/T001/agent.json"))).toMatchObject({ name: "agent-T001" });
  });

  it("X-54 a supervisor of another boot of this machine is dead, whatever its number is now", () => {
    const alive = currentProcess();
    expect(shownState({ ...RECORD, supervisor: alive })).toBe("spawned");
    expect(shownState({ ...RECORD, supervisor: { ...alive, bootId: "another boot" } })).toBe("error");
    if (existsSync(PROC))
      // only /proc tells when a process started
      expect(shownState({ ...RECORD, supervisor: { ...alive, startTicks: alive.startTicks + 1 } })).toBe("error");
  });
});

const TASK = {
  kind: "task" as const,
  id: "T042",
  path: "artefacts/x.md",
  title: "Parse the header",
  prd: "PRD-001",
  epic: "E001",
  effort: "M" as const,
  priority: "normal" as const,
  blockedBy: ["T041"],
  stories: [],
  tags: [],
  targets: {},
  problems: [],
};
const FACTS = { task: TASK, name: "agent-T042", cwd: "/w", branch: "task/T042", sandbox: true, timeoutS: 60 };

describe("the mission", () => {
  it("RU-18 has the fields of version 1, survives its file, and is refused when anything of it is wrong", () => {
    const mission = composeMission(FACTS);
    expect(Object.keys(mission)).toEqual([
      "version",
      "task_id",
      "epic_id",
      "prd_id",
      "instruction",
      "context",
      "constraints",
      "timeout",
    ]);
    expect(parseMissionFile(toMissionFile(mission), "m")).toEqual(mission);
    const wrong: readonly Record<string, unknown>[] = [
      { version: "2" },
      { task_id: "E001" },
      { task_id: "../T1" },
      { instruction: "  " },
      { constraints: { max_files: 0, no_git_commit: true, no_new_deps: true } },
      { timeout: 0 },
      { more: 1 },
    ];
    for (const fields of wrong) {
      const text = JSON.stringify({ ...mission, ...fields });
      expect(() => parseMissionFile(text, "m.yaml")).toThrow("m.yaml is no mission");
    }
    for (const text of ["", "[", "- a", "\u0000"])
      expect(() => parseMissionFile(text, "m.yaml")).toThrow("is no mission");
  });

  it("R-33 RU-18 the prompt names the task, its context first, and what the sandbox cannot do", () => {
    const prompt = toPrompt(composeMission(FACTS));
    expect(prompt).toContain('context_load of the server rudder with {"operation": "T042"}');
    expect(prompt).toContain("assign_release");
    expect(prompt).toContain("Do not commit");
    expect(toPrompt(composeMission({ ...FACTS, sandbox: false }))).toContain("Commit what you did");
  });

  it("RU-18 a result always has two log lines at least, and says what went wrong", () => {
    const facts = { taskId: "T042", name: "agent-T042", files: [], lastWords: "", at: AT };
    const failed = composeResult({
      ...facts,
      taskStatus: "In Progress",
      isCompleted: false,
      log: [],
      message: "no key",
    });
    expect(failed).toMatchObject({ status: "failed", issues: ["no key"] });
    expect(failed.log).toHaveLength(2);
    const blocked = composeResult({
      ...facts,
      taskStatus: "Blocked",
      isCompleted: true,
      log: [{ at: AT, level: "error", message: "no API", by: "agent-T042" }],
      message: undefined,
    });
    expect(blocked).toMatchObject({ status: "blocked", issues: ["no API"] });
  });
});

it("R-30 X-29 a socket's path is one path to socat, whatever stands in it", () => {
  const argOf = (path: string) => socketConfig(path, "socat").mcpServers.rudder.args[1];
  expect(argOf("/srv/havens/shop/mcp.sock")).toBe("UNIX-CONNECT:/srv/havens/shop/mcp.sock");
  expect(argOf("/a,b:c/it's (1)/mcp.sock")).toBe("UNIX-CONNECT:/a\\,b\\:c/it\\'s \\(1\\)/mcp.sock");
});

describe("the sandbox's settings", () => {
  const facts = {
    place: "/h/worktrees/T042",
    project: "/p",
    haven: "/h",
    agentDir: "/h/agents/T042",
    logDir: "/h/logs/T042",
    socket: "/h/agents/T042/mcp.sock",
    provider: "claude",
    home: "/home/ada",
    env: {},
    platform: "linux" as const,
    base: NO_SETTINGS,
  };

  it("RU-20 X-29 strict: the worktree, the log directory, /tmp and the client's own; no keys; its own socket", () => {
    expect(composeSrtSettings(facts)).toEqual({
      network: {
        allowedDomains: ["api.anthropic.com", "*.anthropic.com", "claude.ai", "*.claude.ai"],
        deniedDomains: [],
        allowUnixSockets: ["/h/agents/T042/mcp.sock"],
        allowAllUnixSockets: true,
      },
      filesystem: {
        denyRead: ["/home/ada/.sailing/havens", "/h", "/home/ada/.ssh", "/home/ada/.gnupg", "/home/ada/.aws"],
        allowRead: [
          "/h/worktrees/T042",
          "/h/agents/T042",
          ...["artefacts", "memory", "runs", "assignments"].map((name) => `/h/${name}`),
        ],
        allowWrite: ["/h/worktrees/T042", "/h/logs/T042", "/tmp", "/home/ada/.claude", "/home/ada/.claude.json"],
        denyWrite: [],
      },
    });
  });

  it("X-63 T001 spoke on T002's socket: of the haven an agent sees its own folder, and no place that has another socket", () => {
    const { denyRead, allowRead } = composeSrtSettings(facts).filesystem;
    expect(denyRead).toContain(facts.haven);
    for (const open of allowRead) {
      for (const socket of [
        "/h/mcp.sock",
        "/h/agents/T001/mcp.sock",
        "/home/ada/.sailing/havens/0123456789ab/mcp.sock",
      ])
        expect(`${socket}/`.startsWith(`${open}/`)).toBe(false);
    }
  });

  it("RU-20 a project under /tmp was writable without a word: it is denied, or it is said", () => {
    const temporary = { ...facts, project: "/tmp/shop" };
    expect(composeSrtSettings(temporary).filesystem.denyWrite).toEqual(["/tmp/shop"]);
    expect(exposureNote(temporary)).toBeUndefined();
    const inside = { ...temporary, haven: "/tmp/shop/.haven", place: "/tmp/shop/.haven/worktrees/T042" };
    expect(composeSrtSettings(inside).filesystem.denyWrite).toEqual([]);
    expect(exposureNote(inside)).toContain("/tmp/shop is under /tmp, which agents may write");
    const own = { ...temporary, place: "/tmp/shop" };
    expect(composeSrtSettings(own).filesystem.denyWrite).toEqual([]);
    expect(exposureNote(own)).toBeUndefined();
  });

  it("X-29 all sockets only where a path cannot be told (Linux), and never where the haven refuses them", () => {
    expect(composeSrtSettings({ ...facts, platform: "darwin" }).network).not.toHaveProperty("allowAllUnixSockets");
    const base = parseSrtSettings('{"network":{"allowAllUnixSockets":false}}', "s");
    expect(composeSrtSettings({ ...facts, base }).network.allowAllUnixSockets).toBe(false);
    expect(areSocketsRefused(base, "linux")).toBe(true);
    expect(areSocketsRefused(base, "darwin")).toBe(false);
  });

  it("RU-20 what the haven's own settings add is added, and what they do not know of is handed on", () => {
    const base = parseSrtSettings(
      '{"network":{"allowedDomains":["example.com"]},"filesystem":{"allowWrite":["/cache"]},"enableWeakerNestedSandbox":true}',
      "s",
    );
    const settings = composeSrtSettings({ ...facts, provider: "codex", env: { CODEX_HOME: "/c" }, base });
    expect(settings.network.allowedDomains).toEqual(expect.arrayContaining(["api.openai.com", "example.com"]));
    expect(settings.filesystem.allowWrite).toEqual(expect.arrayContaining(["/h/worktrees/T042", "/c", "/cache"]));
    expect(settings).toMatchObject({ enableWeakerNestedSandbox: true });
    for (const text of ["", "[]", '{"filesystem":{"allowWrite":"/"}}']) {
      expect(() => parseSrtSettings(text, "s.json")).toThrow("s.json is no sandbox settings");
    }
  });
});
