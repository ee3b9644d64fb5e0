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
  let isOver = false;
  const swept = performance.now();
  const done = sweep.sweepExpired(database).then((count) => {
    isOver = true;
    return count;
  });
  const waits = [];
  for (let n = 0; !isOver; n++) {
    const from = performance.now();
    await shared.put({ text: textOf(2_000, 10_000_000 + n), focus: "why", options: {} });
    waits.push(performance.now() - from);
  }
  const count = await done;
  printFigure("entries a second", count / ((performance.now() - swept) / 1000), { unit: " /s", digits: 0 });
  waits.sort((a, b) => a - b);
  printFigure("a writer waited, median", median(waits), { unit: " ms" });
  printFigure("99 of 100 writers waited at most", waits[Math.floor(waits.length * 0.99)] ?? 0, { unit: " ms" });
  printFigure("the longest wait of a writer", waits.at(-1) ?? 0, { unit: " ms", atMost: MAX_WAIT_MS });
  const [left] = await database.query("SELECT count(*) AS left FROM jeeves_cuts WHERE expires_at <= clock_timestamp()");
  printFigure("entries left", left.left, { digits: 0, atMost: 0 });
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
