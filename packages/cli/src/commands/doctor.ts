// `jeeves doctor`: checks everything that jeeves needs, prints the state of each thing and how to mend what is broken.
// Changes nothing without --fix. Exit code 1 when something is bad; what is merely missing is a note.
import { VERSION } from "@jeeves/base";
import { DEFAULT_VIEWER_PORT } from "@jeeves/viewer";
import type { Check } from "../doctor/check.ts";
import { good } from "../doctor/check.ts";
import { checkClients } from "../doctor/clients.ts";
import { checkDatabase } from "../doctor/database.ts";
import { checkHookTrust } from "../doctor/hook-trust.ts";
import { checkInstallations } from "../doctor/installations.ts";
import { checkLaunchers } from "../doctor/launchers.ts";
import { checkMeter, checkMode, checkPort, checkSandbox, checkStateDir } from "../doctor/places.ts";
import { checkBuild, checkGit, checkGrammars, checkNode, checkSearch } from "../doctor/programs.ts";
import { checkShellPrefix } from "../doctor/shell-prefix.ts";
import { findClients } from "../find-clients.ts";
import { atEnd } from "../terminal/at-end.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { endIfStuck } from "../terminal/state-faults.ts";

interface DoctorOptions {
  readonly json?: boolean;
  readonly fix?: boolean;
}

const SERVE_PORT = 8006;
const SIGNS = { good: ["✓", "green"], note: ["·", "yellow"], bad: ["✗", "red"] } as const;

/** Prints all checks; with `fix`, after mending what can be mended safely. Exit code 1 where one is bad. */
export async function doctorCommand(options: DoctorOptions): Promise<void> {
  const { env } = process;
  atEnd(endIfStuck);
  const first = await lookAtAll(env, process.cwd());
  const fixed = options.fix === true ? await fixAll(first) : [];
  const checks = fixed.length === 0 ? first : await lookAtAll(env, process.cwd());
  const worst = checks.filter((check) => check.state === "bad").length;
  if (options.json === true) {
    const shown = checks.map(({ fix, ...check }) => (fix === undefined ? check : { ...check, can_fix: true }));
    process.stdout.write(`${JSON.stringify({ ok: worst === 0, checks: shown, ...(options.fix ? { fixed } : {}) })}\n`);
  } else {
    for (const line of fixed) process.stdout.write(`fixed  ${line}\n`);
    if (options.fix === true && fixed.length === 0) process.stdout.write("nothing that can be mended safely\n");
    if (options.fix === true) process.stdout.write("\n");
    print(checks, createPaint(process.stdout, env), options.fix === true);
  }
  process.exitCode = worst === 0 ? 0 : 1;
}

async function lookAtAll(env: NodeJS.ProcessEnv, cwd: string): Promise<readonly Check[]> {
  const checks = await Promise.all([
    good("jeeves", VERSION),
    checkNode(),
    checkBuild(),
    checkInstallations(env, VERSION),
    checkSearch(env),
    checkGrammars(),
    checkGit(env),
    findClients({ env, cwd }).then((clients) => checkClients(clients, { env, cwd })),
    checkHookTrust(env, cwd),
    checkShellPrefix({ env, cwd }),
    checkLaunchers(env, cwd),
    checkSandbox(env),
    checkPort("port of the services", SERVE_PORT, "--port"),
    checkPort("port of the page", DEFAULT_VIEWER_PORT, "--page-port"),
    checkStateDir(env),
    checkDatabase(env),
    checkMode(env),
    checkMeter(env),
  ]);
  return checks.flat();
}

/** Mends one after the other. What cannot be mended shows up again in the checks that follow. */
async function fixAll(checks: readonly Check[]): Promise<string[]> {
  const fixed: string[] = [];
  for (const { name, fix } of checks) {
    if (fix === undefined) continue;
    try {
      fixed.push(`${name}: ${await fix()}`);
    } catch (error) {
      process.stderr.write(`jeeves: ${name} could not be mended: ${error instanceof Error ? error.message : error}\n`);
    }
  }
  return fixed;
}

function print(checks: readonly Check[], paint: Paint, isFixed: boolean): void {
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
  const fixable = checks.filter(({ fix }) => fix !== undefined).length;
  if (fixable > 0 && !isFixed) process.stdout.write(`${ownCommand("doctor --fix")} mends ${fixable} of these\n`);
}
