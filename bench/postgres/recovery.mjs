// The shared recovery store beside the disk: put and get of 10 kB and 1 MB, one after the other and 64 at once; then a
// sweep of a million entries, and how long writers wait meanwhile.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, print, printFigure, printTitle } from "../figures.mjs";
import { createTempDir } from "../temp-dir.mjs";
import { loadStores, perCall, withPostgres } from "./with-postgres.mjs";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    rows: { type: "string", default: "1000000" },
    only: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const rows = Number(values.rows);
const SIZES = [10_000, 1_000_000];
const MAX_WAIT_MS = 100;
const ALONE_MS = 15_000;

const stores = await loadStores();
const { state, sweep } = stores;
const dir = createTempDir();
await withPostgres(stores, async (url) => {
  printTitle(`the shared recovery store beside the disk: medians of ${rounds} rounds`);
  const database = state.openDatabase(url, { maxConnections: 16 });
  const shared = state.createPostgresRecoveryStore({ database, maxBytes: 1e12 });
  const disk = state.createDiskStore({ env: { JEEVES_STATE_DIR: join(dir, "state"), TMPDIR: dir }, maxBytes: 1e12 });
  let seed = 0;
  for (const size of values.only === "sweep" ? [] : SIZES) {
    for (const clients of [1, 64]) {
      const count = size > 100_000 ? 64 : 256;
      const times = {};
      for (let round = 0; round <= rounds; round++) {
        for (const [name, store] of [
          ["PostgreSQL", shared],
          ["disk", disk],
        ]) {
          seed += 1;
          const texts = Array.from({ length: count }, (_, n) => textOf(size, seed * 1_000 + n));
          const ids = [];
          const put = await perCall(count, clients, async (n) => {
            ids[n] = (await store.put({ text: texts[n], focus: "why", options: {} })).pruneId;
          });
          const get = await perCall(count, clients, async (n) => {
            if ((await store.get(ids[n]))?.text !== texts[n]) throw new Error("another text came back");
          });
          if (round === 0) continue;
          for (const [what, ms] of [
            ["put", put],
            ["get", get],
          ]) {
            times[`${what} ${size / 1000} kB, ${name}`] ??= [];
            times[`${what} ${size / 1000} kB, ${name}`].push(ms);
          }
        }
      }
      print(clients === 1 ? "one after the other" : `${clients} at once`);
      for (const [name, all] of Object.entries(times)) printFigure(name, median(all), { unit: " ms" });
    }
  }
  await shared.put({ text: "the first one makes the tables", focus: "", options: {} });
  await benchSweep(database, shared);
  await database.close();
});

/** Entries that are over, made by the database itself; texts of a team's day are put meanwhile. */
async function benchSweep(database, shared) {
  print(`a sweep of ${rows} entries, with a writer beside it`);
  const started = performance.now();
  for (let from = 0; from < rows; from += 20_000) {
    const to = Math.min(rows, from + 20_000);
    await database.query(
      `WITH made AS (
         INSERT INTO jeeves_texts (sha256, encoding, compression, bytes, data)
         SELECT decode(md5(n::text) || md5('x' || n), 'hex'), 'utf-8', 'none', 32, decode(md5(n::text), 'hex')
         FROM generate_series($1::int, $2::int) n RETURNING sha256
       )
       INSERT INTO jeeves_cuts (prune_id, sha256, stored_at, put_at, expires_at, is_open, projects)
       SELECT encode(sha256, 'hex'), sha256, now(), now(), now() - interval '1 day', false, '{}' FROM made`,
      [from + 1, to],
    );
  }
  await database.query("ANALYZE");
  print(`  made in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  // What the machine alone makes a writer wait, and what locks do: the rest is work on the same processors.
  const alone = await waitsOf(shared, 0, Date.now() + ALONE_MS);
  printWaits("a writer alone waited", alone);
  const locks = watchLocks(database);
  const swept = performance.now();
  const sweeping = { isOver: false };
  const done = sweep.sweepExpired(database).finally(() => {
    sweeping.isOver = true;
  });
  const waits = await waitsOf(shared, alone.length, Infinity, sweeping);
  const count = await done;
  printFigure("entries a second", count / ((performance.now() - swept) / 1000), { unit: " /s", digits: 0 });
  printWaits("a writer beside the sweep waited", waits);
  const locked = await locks();
  printFigure("seen waiting for a lock, longest", locked.longestMs, { unit: " ms", atMost: MAX_WAIT_MS });
  printFigure("looks that saw a lock waited for", locked.seen, { unit: ` of ${locked.looks}`, digits: 0 });
  const [left] = await database.query("SELECT count(*) AS left FROM jeeves_cuts WHERE expires_at <= clock_timestamp()");
  printFigure("entries left", left.left, { digits: 0, atMost: 0 });
}

/** What each put took, until a moment or the end of a sweep. */
async function waitsOf(shared, from, untilMs, sweeping = { isOver: false }) {
  const waits = [];
  for (let n = from; !sweeping.isOver && Date.now() < untilMs; n++) {
    const sent = performance.now();
    await shared.put({ text: textOf(2_000, 10_000_000 + n), focus: "why", options: {} });
    waits.push(performance.now() - sent);
  }
  return waits;
}

function printWaits(name, waits) {
  const sorted = [...waits].sort((a, b) => a - b);
  printFigure(`${name}, median`, median(sorted), { unit: " ms" });
  printFigure(`${name}, 99 of 100`, sorted[Math.floor(sorted.length * 0.99)] ?? 0, { unit: " ms" });
  printFigure(`${name}, longest`, sorted.at(-1) ?? 0, { unit: " ms", atMost: MAX_WAIT_MS });
}

/** Looks again and again for sessions that wait for a lock; the function ends it. */
function watchLocks(database) {
  const found = { longestMs: 0, seen: 0, looks: 0 };
  let isOver = false;
  const text = `SELECT max(extract(epoch FROM clock_timestamp() - query_start) * 1000)::float8 AS ms
    FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;
  const looking = (async () => {
    while (!isOver) {
      const [row] = await database.query({ name: "locks", text });
      found.looks += 1;
      if (row.ms !== null) {
        found.seen += 1;
        found.longestMs = Math.max(found.longestMs, row.ms);
      }
      await new Promise((next) => setTimeout(next, 10));
    }
  })();
  return async () => {
    isOver = true;
    await looking;
    return found;
  };
}

/** Text as a program prints it: it compresses, but not to nothing. */
function textOf(size, seed) {
  let state = seed >>> 0 || 1;
  const lines = [];
  for (let length = 0; length < size; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const line = `2026-11-18T10:${state % 60}:00 [INFO] request ${state.toString(36)} took ${state % 997} ms\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join("").slice(0, size);
}
