// The haven of the current project for the viewer: its board, who holds what, what was learned. It takes no lock and
// changes nothing.
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type Board,
  type BoardTask,
  type HavenStore,
  havenDatabase,
  type LogLine,
  layoutOf,
  listAgents,
  locate,
  locateAgain,
  openHaven,
  type Place,
  RudderError,
  readBoard,
  readDigits,
  remainingMs,
  type SeenAgent,
  watchHaven,
} from "@jeeves/rudder";
import type { HavenAgent, HavenMemory, HavenSource, HavenTask, HavenView } from "@jeeves/viewer";

const MAX_MEMORY = 500;
const MAX_PROBLEMS = 20;
/** How long an edit by hand may stay unseen: only rudder's own changes show in the directories' times. */
const LOOK_CLOSELY_MS = 3_000;

interface HavenPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

interface Watched {
  readonly id: string;
  isStale: boolean;
  stamp: string;
}

/** Reads the haven of the project at `cwd`. Where there is none, `view` gives a message in place of a board. */
export function createHavenSource({ env, cwd }: HavenPlace): HavenSource {
  let closely = { atMs: 0, quick: "", hash: "" };
  // Asking git where the project comes from is a process: once is enough, a page looks several times a second.
  let found: Promise<Place> | undefined;
  const place = (): Promise<Place> => {
    const root = env.SAILING_PROJECT || undefined;
    const next = found?.then((last) => locateAgain(last, env));
    found = (next ?? locate({ cwd, root, haven: env.RUDDER_HAVEN, home: env.HOME, env })).catch((error: unknown) => {
      // A database that was away is asked again.
      found = undefined;
      throw error;
    });
    return found;
  };
  let opened: { readonly haven: string; readonly store: HavenStore } | undefined;

  async function open(): Promise<HavenStore> {
    const { project, haven, projectHash } = await place();
    if (opened?.haven !== haven)
      opened = { haven, store: openHaven({ haven, id: projectHash, digits: readDigits(project), env }) };
    return opened.store;
  }

  async function view(): Promise<HavenView> {
    let project = cwd;
    try {
      const { haven, ...located } = await place();
      project = located.project;
      const store = await open();
      const board = await readBoard(store, { maxMemory: MAX_MEMORY });
      const { agents } = await listAgents({ store, env, place: { haven } });
      return toView(board, agents, project);
    } catch (error) {
      if (!(error instanceof RudderError)) throw error;
      return { kind: "none", project, message: error.message, hint: error.hint };
    }
  }

  /** The page asks several times a second; the database is asked when it has announced a change. */
  let watched: Watched | undefined;
  function watch(id: string): Watched {
    const state = { id, isStale: true, stamp: "" };
    watchHaven(id, {
      env,
      onChange: () => {
        state.isStale = true;
      },
    });
    return state;
  }

  return {
    view,
    async stamp() {
      // In a database every change has a number, those of other machines too.
      if (havenDatabase(env) !== undefined) {
        const at = await place().catch(() => undefined);
        if (at === undefined) return "unreachable";
        if (watched?.id !== at.projectHash) watched = watch(at.projectHash);
        if (!watched.isStale) return watched.stamp;
        watched.isStale = false;
        const fed = await (await open()).changesSince(Number.MAX_SAFE_INTEGER).catch(() => undefined);
        watched.stamp = String(fed?.last);
        return watched.stamp;
      }
      const quick = await quickStamp((await place()).haven);
      if (quick !== closely.quick || Date.now() - closely.atMs > LOOK_CLOSELY_MS) {
        const json = JSON.stringify(await view(), (name, value) => (name === "remainingMs" ? undefined : value));
        closely = { atMs: Date.now(), quick, hash: createHash("sha256").update(json).digest("hex") };
      }
      return closely.hash;
    },
  };
}

async function quickStamp(haven: string): Promise<string> {
  const layout = layoutOf(haven);
  const prds = await readdir(layout.prds).catch(() => []);
  const logs = await readdir(layout.memory).catch(() => []);
  const agents = await readdir(layout.agents).catch(() => []);
  const places = [
    layout.runs,
    layout.prds,
    layout.memory,
    ...prds.flatMap((prd) => ["tasks", "epics"].map((folder) => join(layout.prds, prd, folder))),
    ...logs.map((name) => join(layout.memory, name)),
    ...agents.map((name) => join(layout.agents, name, "agent.json")),
  ];
  const times = await Promise.all(places.map(async (place) => (await stat(place).catch(() => undefined))?.mtimeMs));
  return times.join(" ");
}

function toView(board: Board, agents: readonly SeenAgent[], project: string): HavenView {
  return {
    kind: "board",
    project,
    tasks: board.tasks.map((one) => toTask(one, board.nowMs)),
    agents: agents.map(toAgent),
    epics: board.epics.map(({ id, title, status }) => ({ id, title, status: status ?? "" })),
    memory: board.memory.map(toMemory),
    problems: [
      ...board.problems.map(({ path, message }) => `${path}: ${message}`),
      ...board.broken.map((path) => `${path} is no lease`),
    ].slice(0, MAX_PROBLEMS),
  };
}

function toTask({ task, column, lease, waitsFor }: BoardTask, nowMs: number): HavenTask {
  const [problem] = task.problems;
  return {
    id: task.id,
    title: task.title,
    status: task.status ?? "unknown",
    column,
    ...(task.epic === undefined ? {} : { epic: task.epic }),
    effort: task.effort,
    priority: task.priority,
    blockedBy: task.blockedBy,
    waitsFor,
    ...(lease === undefined
      ? {}
      : {
          lease: {
            holder: lease.holder.name,
            operation: lease.operation,
            remainingMs: Math.round(remainingMs(lease, nowMs)),
            ttlMs: lease.ttlMs,
          },
        }),
    ...(problem === undefined ? {} : { problem: problem.message }),
  };
}

function toAgent({ record, host, state }: SeenAgent): HavenAgent {
  return {
    task: record.task_id,
    name: record.name,
    state,
    provider: record.provider,
    ...(host === "" ? {} : { machine: host }),
    spawnedAt: record.spawned_at,
    ...(record.message === undefined ? {} : { message: record.message }),
  };
}

function toMemory({ at, level, message, taskId, by }: LogLine): HavenMemory {
  return {
    ts: at,
    level,
    message,
    ...(taskId === undefined ? {} : { task: taskId }),
    ...(by === undefined ? {} : { by }),
  };
}
