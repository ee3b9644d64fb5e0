// `npm run soak`: the storms that are too long for `npm test`. Ten minutes of the pruner: directories that are swapped
// for links, 20,000 mixed calls of one server with its memory and descriptors, SIGKILL of servers, of commands
// and of their launcher (X-21, J-36), every fault at every door, a flood of sessions without proof, a
// busy machine, and the engine's properties with other cases each time. Then ten minutes of rudder under kills, stops
// and clocks that jump, and five of two machines on one PostgreSQL. Each storm has a share of the time,
// prints how far it came, and is ended when that is long over. Arguments name storms (`npm run soak -- races`).
import { join } from "node:path";
import { runBounded } from "./run-bounded.mjs";
import { ensureBuilt, ensureInstalled, root } from "./setup.mjs";

/** For what a storm does after its last round. */
const GRACE_S = 45;
const PRUNER = {
  limitS: 600,
  storms: [
    { file: "packages/workspace/test/races.test.ts", seconds: 135 },
    { file: "test/mixed-calls.test.ts", seconds: 120 },
    { file: "packages/cli/test/jeeves-exec-killed.test.ts", seconds: 40 },
    { file: "test/faults.test.ts", seconds: 80 },
    { file: "test/flood.test.ts", seconds: 25 },
    { file: "test/busy-machine.test.ts", seconds: 110 },
    { file: "packages/prune/test/properties.test.ts", seconds: 20 },
    { file: "packages/pruner-service/test/properties.test.ts", seconds: 20 },
  ],
};
/** Ten minutes of storm; then its history is checked. */
const RUDDER = {
  limitS: 900,
  storms: [{ file: "packages/rudder/test/storm/storm.test.ts", seconds: 600, graceS: 300 }],
};
/** The same beyond one machine: servers, connections, the network and the database go down in turns. */
const POSTGRES = {
  limitS: 700,
  storms: [
    { file: "test/postgres/storm.test.ts", seconds: 300, graceS: 300, config: "test/postgres/vitest.config.ts" },
  ],
};

ensureInstalled();
ensureBuilt();
ensureInstalled(join(root, "test", "postgres"));
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const asked = process.argv.slice(2);
const isAsked = ({ file }) => asked.length === 0 || asked.some((word) => file.includes(word));
if (![...PRUNER.storms, ...RUDDER.storms, ...POSTGRES.storms].some(isAsked)) {
  const names = [...PRUNER.storms, ...RUDDER.storms, ...POSTGRES.storms].map(({ file }) => file).join("\n  ");
  process.stderr.write(`soak: no storm is called ${asked.join(", ")}; there are\n  ${names}\n`);
  process.exit(2);
}
const ends = [];
for (const group of [PRUNER, RUDDER, POSTGRES]) ends.push(...(await runGroup(group)));
for (const { file, how, s } of ends) process.stdout.write(`soak: ${String(s).padStart(4)} s  ${file}: ${how}\n`);
process.exit(ends.every(({ isGood }) => isGood) ? 0 : 1);

/** Runs the storms that were asked for, one after the other, within the group's time. */
async function runGroup({ limitS, storms }) {
  const startedMs = performance.now();
  const done = [];
  for (const storm of storms.filter(isAsked)) {
    const leftS = limitS - (performance.now() - startedMs) / 1000;
    done.push(await runStorm(storm, Math.min(storm.seconds + (storm.graceS ?? GRACE_S), leftS)));
  }
  return done;
}

async function runStorm({ file, seconds, config }, limitS) {
  if (limitS < 5) return { file, how: "not run: the time for all storms is over", isGood: false, s: 0 };
  const fromMs = performance.now();
  const env = { JEEVES_SEED: "random", ...process.env, JEEVES_SOAK: "1", JEEVES_SOAK_MS: String(seconds * 1000) };
  const args = [vitest, "run", ...(config ? ["--config", config] : []), file];
  const until = AbortSignal.timeout(Math.round(limitS * 1000));
  const { status, wasEnded } = await runBounded(process.execPath, args, { cwd: root, env, until });
  const isGood = status === 0 && !wasEnded;
  const how = wasEnded ? `FAILED: not done after ${Math.round(limitS)} s` : isGood ? "good" : "FAILED";
  return { file, how, isGood, s: Math.round((performance.now() - fromMs) / 1000) };
}
