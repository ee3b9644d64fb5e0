// Claims and log lines in the shared store and in files, beside a bare `UPDATE … RETURNING` of the driver, in turns in one
// run; then what a claim and a look cost as the haven grows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { median, print, printFigure, printTitle } from "../figures.mjs";
import { makeTasks } from "../rudder-haven.mjs";
import { loadStores, perCall, withPostgres } from "./with-postgres.mjs";

const CLIENTS = [1, 10, 50];
const CALLS = 300;
const SIZES = [200, 20_000, 200_000];
const MAX_RATIO = 2;
const TTL_MS = 1_800_000;
const BASE = "artefacts/prds/PRD-001-bench";

/** @param {{ rounds: number, dir: string, taskCount: number, only: string | undefined }} options */
export async function benchPostgres({ rounds, dir, taskCount: atLeast, only }) {
  // Each claim is the first one of its task: a refusal is cheaper.
  const taskCount = Math.max(atLeast, 2 * rounds * CALLS * CLIENTS.length);
  const stores = await loadStores();
  if (only === "growth") return withPostgres(stores, (url) => benchSizes(stores, { url, rounds, dir }));
  const { state, rudder } = stores;
  await withPostgres(stores, async (url) => {
    printTitle(
      `rudder on PostgreSQL, synchronous_commit=off: medians of ${rounds} rounds of ${CALLS} calls, ${taskCount} tasks`,
    );
    const database = state.openDatabase(url, { maxConnections: Math.max(...CLIENTS) });
    await fill(stores, database, "bench", taskCount);
    const shared = rudder.openPostgresStore({ database, id: "bench", haven: dir, isLive: true });
    const haven = join(dir, "files");
    makeTasks({ haven, taskCount });
    const files = rudder.openFileStore({ haven, lingerMs: 5, isLive: true });
    await files.snapshot();
    await shared.snapshot();
    await database.query("CREATE TABLE bare (id integer PRIMARY KEY, holder text, token integer NOT NULL)");
    await database.query(`INSERT INTO bare SELECT n, NULL, 0 FROM generate_series(1, ${taskCount}) n`);
    const bareUpdate = {
      name: "bare",
      text: "UPDATE bare SET holder = $2, token = token + 1 WHERE id = $1 RETURNING token",
    };
    let next = 0;
    const taskOf = (n) => `T${String((2 * n) % taskCount || taskCount).padStart(3, "0")}`;
    const calls = {
      "bare UPDATE … RETURNING": (n, client) =>
        database.query(bareUpdate, [(2 * n) % taskCount || 1, `client-${client}`]),
      "claim, PostgreSQL": (n, client) => claim(stores, shared, taskOf(n), client),
      "claim, files": (n, client) => claim(stores, files, taskOf(n), client),
      "log line, PostgreSQL": (n, client) => log(stores, shared, taskOf(n), client),
      "log line, files": (n, client) => log(stores, files, taskOf(n), client),
    };
    for (const clients of CLIENTS) {
      const times = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
      const cpu = Object.fromEntries(Object.keys(calls).map((name) => [name, []]));
      for (let round = 0; round < rounds; round++) {
        for (const [name, call] of Object.entries(calls)) {
          const from = next;
          const before = await cpuMs(database);
          times[name].push(await perCall(CALLS, clients, (n, client) => call(from + n, client)));
          const after = await cpuMs(database);
          cpu[name].push({ own: (after.own - before.own) / CALLS, server: (after.server - before.server) / CALLS });
        }
        next += CALLS;
      }
      print(`${clients} ${clients === 1 ? "client" : "clients at once"}`);
      for (const [name, all] of Object.entries(times)) {
        printFigure(name, 1_000 / median(all), { unit: " /s", digits: 0, note: `(${median(all).toFixed(2)} ms)` });
      }
      const ratio = median(times["claim, PostgreSQL"]) / median(times["bare UPDATE … RETURNING"]);
      printFigure("claim beside the bare UPDATE", ratio, { unit: " x", atMost: MAX_RATIO });
      // On a machine that has other work, processor time is the better measure.
      for (const name of ["bare UPDATE … RETURNING", "claim, PostgreSQL"]) {
        const own = median(cpu[name].map((one) => one.own * 1_000));
        const server = median(cpu[name].map((one) => one.server * 1_000));
        printFigure(`CPU of ${name}`, own + server, { unit: " µs", digits: 0, note: `(${own.toFixed(0)} here)` });
      }
    }
    const trips = async () => {
      const before = database.roundTrips;
      await claim(stores, shared, "T004", 0);
      return database.roundTrips - before;
    };
    const cold = rudder.openPostgresStore({ database, id: "bench", haven: dir });
    const before = database.roundTrips;
    await claim(stores, cold, "T004", 0);
    printFigure("round trips of a command's claim", database.roundTrips - before, { digits: 0, atMost: 4 });
    await trips();
    printFigure("round trips of a server's claim", await trips(), { digits: 0, atMost: 4 });
    await files.close();
    await database.close();
  });
}

/** Time on processors of this process, and of the server's sessions where they are on this machine. */
async function cpuMs(database) {
  const { user, system } = process.cpuUsage();
  const rows = await database.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'jeeves'");
  const server = rows.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
  return { own: (user + system) / 1_000, server };
}

function cpuMsOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0; // on another machine, or a system without /proc
  }
}

async function benchSizes(stores, { url, rounds, dir }) {
  printTitle(`a claim and a look as the haven grows: medians of ${rounds} rounds of 50 calls, PostgreSQL`);
  const database = stores.state.openDatabase(url);
  const found = [];
  for (const size of SIZES) {
    const id = `size-${size}`;
    const started = performance.now();
    await fill(stores, database, id, size);
    print(`  ${size} tasks made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    const store = stores.rudder.openPostgresStore({ database, id, haven: dir });
    await database.query("ANALYZE");
    found.push({ size, store, times: { claim: [], show: [] } });
  }
  for (let round = 0; round <= rounds; round++) {
    for (const { size, store, times } of found) {
      const taskOf = (n) => `T${String(2 * (1 + ((round * 7 + n) % (size / 2)))).padStart(3, "0")}`;
      const claimed = await perCall(50, 1, (n) => claim(stores, store, taskOf(n), 0));
      const shown = await perCall(50, 1, (n) => store.artefact(taskOf(n)));
      if (round === 0) continue; // statements are planned, connections are made
      times.claim.push(claimed);
      times.show.push(shown);
    }
  }
  for (const name of ["claim", "show"]) {
    for (const { size, times } of found) printFigure(`${name}, ${size} tasks`, median(times[name]), { unit: " ms" });
    for (const { size, times } of found.slice(1)) {
      const ratio = median(times[name]) / median(found[0].times[name]);
      printFigure(`${name}, ${size} to ${SIZES[0]}`, ratio, { unit: " x", atMost: MAX_RATIO });
    }
  }
  await database.close();
}

async function fill({ rudder }, database, id, taskCount) {
  await rudder.makePostgresHaven(database, id);
  const store = rudder.openPostgresStore({ database, id, haven: "/nowhere" });
  const idOf = (letter, number) => `${letter}${String(number).padStart(3, "0")}`;
  const CHUNK = 20_000;
  for (let from = 0; from < taskCount; from += CHUNK) {
    await store.change(async (step) => {
      if (from === 0) {
        const prd = "---\nid: PRD-001\ntitle: Bench\nstatus: In Progress\n---\n\n# PRD-001\n";
        await step.createArtefact({ id: "PRD-001", path: `${BASE}/prd.md`, text: prd });
      }
      for (let task = from + 1; task <= Math.min(from + CHUNK, taskCount); task++) {
        const epic = idOf("E", Math.ceil(task / 50));
        if (task % 50 === 1) {
          const text = `---\nid: ${epic}\ntitle: Epic\nparent: PRD-001\nstatus: In Progress\nblocked_by: []\n---\n\n# Epic\n`;
          await step.createArtefact({ id: epic, path: `${BASE}/epics/${epic}-part.md`, text });
        }
        const own = idOf("T", task);
        const blockers = task % 2 === 0 || task < 8 ? "" : `${idOf("T", task - 1)}, ${idOf("T", task - 7)}`;
        const text = `---\nid: ${own}\ntitle: Task number ${task}\nparent: PRD-001/${epic}\nstatus: Not Started\nassignee:\neffort: M\npriority: normal\nblocked_by: [${blockers}]\ntags: [bench, made]\nstarted_at:\ndone_at:\n---\n\n# ${own}\n\n## Description\n\nWhat task ${task} is about, in a line or two.\n\n## Deliverables\n\n- [ ] code\n- [ ] tests\n`;
        await step.createArtefact({ id: own, path: `${BASE}/tasks/${own}-task.md`, text });
      }
    });
  }
}

const sessionOf = (store, client) => ({
  store,
  caller: { kind: "name", name: `client-${client}` },
  ttlMs: TTL_MS,
  signal: undefined,
  projectHash: "bench",
  env: {},
  isServed: true,
});

/** Another's claim is refused, which is an answer too; the tasks are many. */
async function claim({ leases }, store, id, client) {
  await leases.claim(sessionOf(store, client), { id, operation: "bench", quiet: true }).catch((error) => {
    if (error.code !== "held") throw error;
  });
}

async function log({ change }, store, taskId, client) {
  const session = sessionOf(store, client);
  const line = { at: new Date().toISOString(), level: "tip", message: "what was learned" };
  await change
    .commandTask(session, {
      taskId,
      command: { kind: "write", what: "log", by: session.caller },
      extra: () => ({ value: undefined, lines: [line] }),
    })
    .catch((error) => {
      if (error.code !== "lost") throw error;
    });
}
