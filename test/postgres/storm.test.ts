// Two machines on one database, each in a network namespace where the system lets us: each has its own server and clients,
// whose clocks jump by months and are minutes apart. Servers are killed, connections are ended by the database, the cable
// of one machine is cut for a while, and the database is stopped like after a crash and started again. What the clients
// saw must be a history that the rules allow, every line that was acknowledged is there once, and no stale write is.
// `JEEVES_SOAK=1` makes it last minutes.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { checkHistory } from "../../packages/rudder/test/storm/linearizable.ts";
import {
  ackedIn,
  auditOf,
  holdsOf,
  type Note,
  overlapsOf,
  refusalIn,
  toHistory,
  toNote,
  withHints,
} from "../../packages/rudder/test/storm/storm-record.ts";
import { openDatabase } from "../../packages/state/src/index.ts";
import { fillHaven, HAVEN_ID } from "./haven-under-test.ts";
import { machineForTest } from "./machines.ts";
import { startPostgres } from "./start-postgres.ts";
import { layCables, stormNetwork } from "./storm-network.ts";

const TASKS = 8;
const CLIENTS = 6;
const TTL_MS = 3_000;
const SKEW_MS = 7 * 60_000;
const IS_SOAK = process.env.JEEVES_SOAK === "1";
const STORM_MS = IS_SOAK ? Number(process.env.JEEVES_SOAK_MS || 300_000) : 10_000;
/** It goes on until what is looked at has happened; but nothing goes on for ever. */
const LONGEST_MS = STORM_MS + 120_000;
const ENOUGH = 8;
const CLIENT = fileURLToPath(new URL("../../packages/rudder/test/storm/storm-client.mjs", import.meta.url));
const CLOCK = new URL("../../packages/rudder/test/storm/jumping-clock.mjs", import.meta.url).href;
const DIST = fileURLToPath(new URL("../../packages/rudder/dist", import.meta.url));

interface Server {
  stop(): Promise<void>;
}

it(
  "X-65 the storm on PostgreSQL: linearizable, no stale write, every acknowledged line once",
  async () => {
    const cables = layCables();
    onTestFinished(() => cables?.remove());
    const addresses = ["127.0.0.1", ...(cables?.hostAddresses ?? [])].join(",");
    const postgres = await startPostgres({ listen_addresses: addresses }, import.meta.url, cables?.subnets);
    onTestFinished(() => postgres.remove());
    const dir = mkdtempSync(join(tmpdir(), "jeeves-storm-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
    cpSync(DIST, join(dir, "dist"), { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"type":"module"}\n');
    const database = openDatabase(postgres.url);
    await fillHaven(database, TASKS);
    const [clock] = await database.query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms");
    const offsetMs = Number(process.hrtime.bigint() / 1_000n) / 1_000 - Number(clock?.now_ms);
    await database.close();

    const network = await stormNetwork(postgres, cables);
    onTestFinished(() => network.close());
    const machines = network.machines.map(({ url }) => machineForTest(url));
    for (const [at, { env }] of machines.entries()) env.STORM_SKEW_MS = String(at * SKEW_MS);
    /** A program of ours, on one of the machines. */
    const spawnOn = (at: number, argv: readonly string[], options: SpawnOptions): ChildProcess => {
      const [program = "", ...words] = [...(network.machines[at]?.prefix ?? []), process.execPath, ...argv];
      return spawn(program, words, options);
    };
    const ttl = { RUDDER_LEASE_TTL_S: String(TTL_MS / 1000) };
    for (const machine of machines) {
      writeFileSync(join(machine.project, ".sailing/haven"), `${HAVEN_ID}\n`);
      await machine.json(["task", "list"]);
    }
    const socketOf = (at: number): string => join(machines[at]?.home ?? "", ".sailing/havens", HAVEN_ID, "mcp.sock");
    const startServer = async (at: number): Promise<Server> => {
      const machine = machines[at];
      const child = spawnOn(at, [join(dir, "dist/rudder-server.js"), "--socket", socketOf(at)], {
        cwd: machine?.project,
        env: { ...machine?.env, ...ttl, NODE_OPTIONS: `--import=${CLOCK}` },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let said = "";
      await new Promise<void>((resolve, reject) => {
        child.stderr?.on("data", (chunk) => {
          said += chunk;
          if (said.includes("  Project root: ")) resolve();
        });
        child.once("close", () => reject(new Error(`the server ended: ${said}`)));
      });
      return {
        async stop() {
          child.kill("SIGKILL");
          if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        },
      };
    };
    const servers = [await startServer(0), await startServer(1)];
    const records = (): string[] => readdirSync(dir).filter((name) => name.startsWith("record-"));
    const readNotes = (): Note[] =>
      records().flatMap((name) =>
        readFileSync(join(dir, name), "utf8")
          .split("\n")
          .flatMap((line) => (line === "" ? [] : toNote(line))),
      );
    const clients: ChildProcess[] = machines.flatMap((machine, at) =>
      Array.from({ length: CLIENTS + 1 }, (_, n) => {
        const [way, target] = n < CLIENTS ? ["socket", socketOf(at)] : ["cli", join(dir, "dist/rudder.js")];
        const agent = `client-${at}-${n}`;
        const argv = [
          CLIENT,
          way,
          target,
          join(dir, `record-${at}-${n}`),
          agent,
          String(at * 50 + n + 1),
          String(TASKS),
          CLOCK,
        ];
        const env = { ...machine.env, ...ttl, RUDDER_AGENT: agent };
        return spawnOn(at, argv, { cwd: machine.project, env, stdio: "ignore" });
      }),
    );
    const counts = { kills: 0, restarts: 0, ended: 0, drops: 0 };
    try {
      const from = performance.now();
      for (let round = 0; ; round++) {
        const tookMs = performance.now() - from;
        const seen = readNotes();
        const isEnough = ["claim", "renew", "release", "log", "edit"].every((op) => ackedIn(seen, op).length >= ENOUGH);
        const isAll = Object.values(counts).every((count) => count > 0);
        if (tookMs > LONGEST_MS || (tookMs > STORM_MS && isEnough && isAll)) break;
        await delay(900);
        const what = round % 4;
        if (what === 0) {
          await servers[round % 8 === 0 ? 0 : 1]?.stop();
          servers[round % 8 === 0 ? 0 : 1] = await startServer(round % 8 === 0 ? 0 : 1);
          counts.kills += 1;
        } else if (what === 1) {
          counts.ended += await endConnections(postgres.url);
        } else if (what === 2) {
          // A partition of one machine: for as long as that, its clients and server hear nothing.
          network.part(true);
          await delay(1_500);
          network.part(false);
          counts.drops += 1;
        } else {
          await postgres.stop("immediate");
          await delay(300);
          await postgres.start();
          counts.restarts += 1;
        }
      }
    } finally {
      for (const client of clients) client.kill("SIGTERM");
      await Promise.all(
        clients.map((client) => client.exitCode === null && client.signalCode === null && once(client, "exit")),
      );
      for (const server of servers) await server.stop();
    }

    const notes = readNotes();
    process.stderr.write(`storm: ${network.kind}, ${notes.length} notes, ${JSON.stringify(counts)}\n`);
    for (const op of ["claim", "renew", "release", "log", "edit"])
      expect(ackedIn(notes, op).length, op).toBeGreaterThan(3);
    // A database that was away for longer than a call waits is the only other reason.
    const refused = notes.filter(
      (note) => note.step === "ack" && note.ok === false && refusalIn(note.text ?? "") === undefined,
    );
    expect(refused.filter((note) => !isOutage(note)).slice(0, 3)).toEqual([]);
    // What such a call did is not known: as if its answer had been lost.
    const known = notes.map((note) =>
      note.step === "ack" && note.ok === false && isOutage(note) ? { ...note, step: "lost" as const } : note,
    );

    const rows = (await query(postgres.url, "SELECT seq, at, detail FROM jeeves_changes ORDER BY seq")).rows;
    expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, at) => at + 1));
    const audit = rows
      .map(({ at, detail }) =>
        JSON.stringify({ at: at.toISOString(), monotonic_ms: at.getTime() + offsetMs, ...JSON.parse(detail) }),
      )
      .join("\n");
    const verdict = checkHistory(withHints(toHistory(known, TTL_MS), audit), { slackMs: 25, doCallsRenew: true });
    if (verdict.kind === "broken") {
      const calls = [...verdict.calls].sort((one, other) => one.sentMs - other.sentMs);
      throw new Error(`${verdict.task} is broken:\n${calls.map((call) => JSON.stringify(call)).join("\n")}`);
    }
    expect(verdict).toEqual({ kind: "linearizable" });
    expect(overlapsOf(holdsOf(known, TTL_MS))).toEqual([]);
    const { gaps, wrong } = auditOf(audit);
    expect({ gaps, wrong }).toEqual({ gaps: [], wrong: [] });

    const lines = (await query(postgres.url, "SELECT line FROM jeeves_log")).rows.map(
      ({ line }) => /line (\d+-\d+)\./.exec(line)?.[1],
    );
    const timesLogged = (id: string): number => lines.filter((one) => one === id).length;
    expect(ackedIn(known, "log").filter(({ id }) => timesLogged(id) !== 1)).toEqual([]);
    expect(lines.filter((one, at) => one !== undefined && lines.indexOf(one) !== at)).toEqual([]);
    const texts = (await query(postgres.url, "SELECT string_agg(body, ' ') AS all FROM jeeves_artefacts")).rows[0]
      .all as string;
    const edits = known.filter((note) => note.op === "edit" && note.step === "ack");
    expect(edits.filter((note) => texts.split(`edit ${note.id}.`).length - 1 !== (note.ok === true ? 1 : 0))).toEqual(
      [],
    );
  },
  LONGEST_MS + 200_000,
);

function isOutage({ text = "" }: Note): boolean {
  return /waited [\d.]+ s\)|it is not known whether/.test(text);
}

async function endConnections(url: string): Promise<number> {
  const text =
    "SELECT count(pg_terminate_backend(pid)) AS ended FROM pg_stat_activity WHERE application_name = 'jeeves' AND pid <> pg_backend_pid()";
  return Number((await query(url, text)).rows[0].ended);
}

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end().catch(() => {});
  }
}
