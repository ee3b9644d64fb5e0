// The haven of the current project for the viewer: its board, who holds what, what was learned. It takes no lock and
// changes nothing.
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type Artefact,
  type HavenStore,
  type Lease,
  type LogLine,
  layoutOf,
  locate,
  openFileStore,
  type Place,
  RudderError,
  remainingMs,
  runRudder,
  systemClock,
} from "@jeeves/rudder";
import type { HavenMemory, HavenSource, HavenTask, HavenView } from "@jeeves/viewer";

const MAX_MEMORY = 500;
const MAX_PROBLEMS = 20;
/** How long an edit by hand may stay unseen: only rudder's own changes show in the directories' times. */
const LOOK_CLOSELY_MS = 3_000;

export interface HavenPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

export function createHavenSource({ env, cwd }: HavenPlace): HavenSource {
  let closely = { atMs: 0, quick: "", hash: "" };
  // Asking git where the project comes from is a process: once is enough, a page looks several times a second.
  let found: Promise<Place> | undefined;
  const place = (): Promise<Place> => {
    found ??= locate({
      cwd,
      root: env.SAILING_PROJECT || undefined,
      haven: env.RUDDER_HAVEN,
      home: env.HOME,
    });
    return found;
  };
  let opened: HavenStore | undefined;

  /** Opened as rudder itself would, so that ids have the digits that the project chose. */
  async function openStore(haven: string): Promise<HavenStore> {
    if (opened !== undefined) return opened;
    await runRudder(["status"], {
      cwd,
      env,
      openStore: (options) => {
        opened = openFileStore(options);
        return opened;
      },
    });
    opened ??= openFileStore({ haven });
    return opened;
  }

  async function view(): Promise<HavenView> {
    const { project, haven } = await place();
    try {
      return await readBoard(await openStore(haven), project);
    } catch (error) {
      if (!(error instanceof RudderError)) throw error;
      return { kind: "none", project, message: error.message, hint: error.hint };
    }
  }

  return {
    view,
    async stamp() {
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
  const places = [
    layout.runs,
    layout.prds,
    layout.memory,
    ...prds.flatMap((prd) => ["tasks", "epics"].map((folder) => join(layout.prds, prd, folder))),
    ...logs.map((name) => join(layout.memory, name)),
  ];
  const times = await Promise.all(places.map(async (place) => (await stat(place).catch(() => undefined))?.mtimeMs));
  return times.join(" ");
}

async function readBoard(store: HavenStore, project: string): Promise<HavenView> {
  const { artefacts, problems } = await store.snapshot();
  const { leases, broken } = await store.leases();
  const byId = new Map(artefacts.map((artefact) => [artefact.id, artefact]));
  const leaseOf = new Map(leases.map((lease) => [lease.taskId, lease]));
  const tasks = artefacts.filter(({ kind }) => kind === "task");
  const epics = artefacts.filter(({ kind }) => kind === "epic");
  const lines: LogLine[] = [...(await store.unsyncedLog(tasks.map(({ id }) => id)))];
  for (const epic of epics) lines.push(...(await store.log(epic.id)));
  return {
    kind: "board",
    project,
    tasks: tasks.map((task) => toTask(task, byId, leaseOf.get(task.id))),
    epics: epics.map(({ id, title, status }) => ({ id, title, status: status ?? "" })),
    memory: lines
      .map(toMemory)
      .sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0))
      .slice(0, MAX_MEMORY),
    problems: [
      ...problems.map(({ path, message }) => `${path}: ${message}`),
      ...broken.map((path) => `${path} is no lease`),
    ].slice(0, MAX_PROBLEMS),
  };
}

function toTask(task: Artefact, byId: ReadonlyMap<string, Artefact>, lease: Lease | undefined): HavenTask {
  const leftMs = lease === undefined ? 0 : remainingMs(lease, systemClock());
  const inherited = task.epic === undefined ? [] : (byId.get(task.epic)?.blockedBy ?? []);
  const waitsFor = [...new Set([...task.blockedBy, ...inherited])].filter((id) => byId.get(id)?.status !== "Done");
  const isClosed = task.status === "Done" || task.status === "Cancelled";
  const column = isClosed
    ? "done"
    : leftMs > 0
      ? "claimed"
      : waitsFor.length > 0 || task.status === "Blocked"
        ? "blocked"
        : "ready";
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
    ...(lease === undefined || leftMs <= 0
      ? {}
      : {
          lease: {
            holder: lease.holder.name,
            operation: lease.operation,
            remainingMs: Math.round(leftMs),
            ttlMs: lease.ttlMs,
          },
        }),
    ...(problem === undefined ? {} : { problem: problem.message }),
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
