// `jeeves doctor`: looks at everything that jeeves needs, says how each thing stands and how to mend what does not.
// Changes nothing. Exit code 1 when something is bad; what is merely missing is a note.
import { DEFAULT_VIEWER_PORT } from "@jeeves/viewer";
import manifest from "../../package.json" with { type: "json" };
import type { Check } from "../doctor/check.ts";
import { good } from "../doctor/check.ts";
import { checkClients } from "../doctor/clients.ts";
import { checkLaunchers } from "../doctor/launchers.ts";
import { checkMeter, checkMode, checkPort, checkSandbox, checkStateDir } from "../doctor/places.ts";
import { checkBuild, checkGit, checkNode, checkSearch } from "../doctor/programs.ts";
import { findClients } from "../find-clients.ts";
import { atEnd } from "../terminal/at-end.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { endIfStuck } from "../terminal/state-faults.ts";

export interface DoctorOptions {
  readonly json?: boolean;
}

const SERVE_PORT = 8006;
const SIGNS = { good: ["✓", "green"], note: ["·", "yellow"], bad: ["✗", "red"] } as const;

export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const { env } = process;
  atEnd(endIfStuck);
  const checks: readonly Check[] = (
    await Promise.all([
      good("jeeves", manifest.version),
      checkNode(),
      checkBuild(),
      checkSearch(env),
      checkGit(env),
      findClients({ env, cwd: process.cwd() }).then((clients) => checkClients(clients, env)),
      checkLaunchers(env, process.cwd()),
      checkSandbox(env),
      checkPort("port of the services", SERVE_PORT, "--port"),
      checkPort("port of the page", DEFAULT_VIEWER_PORT, "--page-port"),
      checkStateDir(env),
      checkMode(env),
      checkMeter(env),
    ])
  ).flat();
  const worst = checks.filter((check) => check.state === "bad").length;
  if (options.json === true) process.stdout.write(`${JSON.stringify({ ok: worst === 0, checks })}\n`);
  else print(checks, createPaint(process.stdout, env));
  process.exitCode = worst === 0 ? 0 : 1;
}

function print(checks: readonly Check[], paint: Paint): void {
  const width = Math.max(...checks.map((check) => check.name.length));
  for (const { name, state, found, mend } of checks) {
    const [sign, colour] = SIGNS[state];
    process.stdout.write(`${paint(colour, sign)} ${name.padEnd(width)}  ${found}\n`);
    if (mend !== undefined) process.stdout.write(`  ${" ".repeat(width)}  ${paint("dim", `→ ${mend}`)}\n`);
  }
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const bads = count("bad");
  const words = bads === 0 ? "nothing is broken" : `${bads} thing${bads === 1 ? "" : "s"} to mend`;
  process.stdout.write(`\n${words}; ${count("note")} note${count("note") === 1 ? "" : "s"}\n`);
}
