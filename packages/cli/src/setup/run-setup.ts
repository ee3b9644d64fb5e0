// `jeeves setup`: finds the clients on this machine, shows what it would write, asks once, writes it, and shows one real
// cut through each client's own path. Exit codes: 0 done, 1 a client could not be set up, 2 nothing was written.
import type { ClientId } from "@jeeves/base";
import { CLIENTS, traitsOf } from "@jeeves/base/clients";
import { CliError } from "../cli-error.ts";
import { SET_UPS } from "../init/changes-for.ts";
import { connectClient, trackedWords } from "../init/connect-client.ts";
import { SetupError } from "../init/setup-error.ts";
import { ask, canAsk } from "../terminal/ask.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";
import { type FoundManualClient, findManualClients } from "./manual-clients.ts";
import { planLines, shortPath } from "./plan-screen.ts";
import { type ClientPlan, isToDo, planSetup } from "./plan-setup.ts";
import { type ShownCut, showCut } from "./show-cut.ts";

interface SetupOptions {
  readonly client?: readonly ClientId[];
  readonly yes?: boolean;
  readonly print?: boolean;
  readonly shadow?: boolean;
}

const out = (line = "") => void process.stdout.write(`${line}\n`);
const warned = new Set<string>();
/** Prints each warning once: planning and writing look at the same settings. */
function warn(words: string): void {
  if (!warned.has(words)) process.stderr.write(`jeeves: ${words}\n`);
  warned.add(words);
}

/** Shows the plan, asks, writes it and tries a cut for each client. Throws CliError where no client is found. */
export async function setupCommand(options: SetupOptions): Promise<void> {
  const { env } = process;
  const paint = createPaint(process.stdout, env);
  const wishes = { shadow: options.shadow === true, env, cwd: process.cwd(), warn };
  const plans = await planSetup({ ...wishes, ...(options.client === undefined ? {} : { clients: options.client }) });
  const others = options.client === undefined ? await findManualClients(wishes) : [];
  refuseMissing(plans, options.client, others);
  const todo = plans.filter(isToDo);
  out(paint("bold", headOf(plans, todo, options)));
  out();
  for (const line of planLines(plans, env, paint)) out(line);
  for (const line of otherLines(others)) out(line);
  out();
  const isRefused = plans.some(({ refused }) => refused !== undefined);
  if (todo.length === 0) {
    const isLacking = plans.some(({ lacks }) => lacks !== undefined);
    if (!isRefused)
      out(
        `${isLacking ? "Nothing to write, and not everything is cut: see above." : "Nothing to do."} ${ownCommand("stats")} shows what it saves, ${ownCommand("doctor")} looks at everything, ${ownCommand("--help")} lists the rest.`,
      );
    process.exitCode = isRefused ? 1 : 0;
    return;
  }
  if (options.print === true)
    return out(`Nothing was written. ${ownCommand("init CLIENT --print")} shows the whole text of a client's files.`);
  if (options.yes !== true && !canAsk()) {
    warn(`nothing was written: there is no terminal to ask on; ${ownCommand("setup --yes")} writes it`);
    process.exitCode = 2;
    return;
  }
  if (options.yes !== true && !(await ask("Write this?", { yes: true }))) {
    out("Nothing was written.");
    process.exitCode = 2;
    return;
  }
  const failed = await writeAll(todo, paint);
  process.exitCode = isRefused || failed > 0 ? 1 : 0;
}

function headOf(plans: readonly ClientPlan[], todo: readonly ClientPlan[], { print, shadow }: SetupOptions): string {
  const found = `${plans.length} client${plans.length === 1 ? "" : "s"} found`;
  if (todo.length === 0) return `${found}.`;
  const mode = shadow === true ? ", which counts what would be saved and cuts nothing" : "";
  return `${found}. Jeeves ${print === true ? "would write" : "writes, if you say yes"}${mode}:`;
}

/** A client that was named and is not here, or none at all. */
function refuseMissing(
  plans: readonly ClientPlan[],
  named: readonly ClientId[] | undefined,
  others: readonly FoundManualClient[],
): void {
  const missing = named?.find((id) => !plans.some(({ client }) => client.name === id));
  if (missing !== undefined) {
    const { title, program, install = "" } = traitsOf(missing);
    throw new CliError(
      `${title} is not installed here: there is no ${program} on PATH; nothing was written`,
      `${install} installs it; ${ownCommand(`init ${missing}`)} writes its settings without it`,
    );
  }
  if (plans.length > 0) return;
  const [other] = others.filter(({ isConnected }) => !isConnected);
  if (other !== undefined)
    throw new CliError(`the only client that was found has settings of its own kind: ${other.title}`, other.way);
  const titles = CLIENTS.map(({ title }) => title).join(", ");
  throw new CliError(
    `no client was found on PATH; known are ${titles}`,
    `install one, or write the settings of one that is elsewhere: ${ownCommand("init CLIENT")}; ${ownCommand("--help")} lists the rest`,
  );
}

/** Clients whose settings are not ours to write. */
function otherLines(others: readonly FoundManualClient[]): string[] {
  const open = others.filter(({ isConnected }) => !isConnected);
  if (open.length === 0) return [];
  return ["", "  By their own ways:", ...open.map(({ title, way }) => `    ${title}: ${way}`)];
}

async function writeAll(todo: readonly ClientPlan[], paint: Paint): Promise<number> {
  const { env } = process;
  let failed = 0;
  const connected: ClientPlan[] = [];
  for (const plan of todo) {
    try {
      const { done } = await connectClient(plan.client.name, plan.setUp, plan.changes);
      const paths = done.map(({ path }) => shortPath(path, env)).join(", ");
      out(`${paint("green", "✓")} ${plan.client.title}: ${paths || "as it should be"}`);
      for (const line of await trackedWords(done, env)) warn(line);
      connected.push(plan);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      out(`${paint("red", "✗")} ${plan.client.title}: ${error.message}; ${error.hint}`);
      failed++;
    }
  }
  if (connected.length === 0) return failed;
  out();
  const isShadow = connected.some(({ setUp }) => setUp.shadow);
  out(
    paint(
      "bold",
      `One failing test run, as each client's model ${isShadow ? "would see it without --shadow" : "sees it now"}:`,
    ),
  );
  for (const plan of connected) {
    const cut = await showCut(plan);
    if (cut.kind === "failed") failed++;
    for (const line of cutLines(plan, cut, paint, plan === connected[0])) out(line);
  }
  out();
  out(paint("bold", "Next:"));
  for (const { client } of connected) out(`  ${SET_UPS[client.name].next}`);
  out(`  ${ownCommand("stats")} shows what it saves; ${ownCommand("doctor")} looks at everything`);
  return failed;
}

function cutLines({ client: { title } }: ClientPlan, cut: ShownCut, paint: Paint, isShown: boolean): string[] {
  if (cut.kind === "failed") return [`  ${paint("red", "✗")} ${title}: ${cut.why}`];
  if (cut.kind === "off") return [`  ${paint("yellow", "·")} ${title}: nothing is cut, ${cut.why}`];
  if (cut.kind === "answers") return [`  ${paint("green", "✓")} ${title}: its server answers`];
  const { before, lines, way } = cut;
  const head = `  ${paint("green", "✓")} ${title}: ${before.toLocaleString("en")} lines of ${way} → ${lines.length}, the failure among them`;
  // The lines of one client are enough: the others get the same cut.
  return [head, ...(isShown ? lines.map((line) => paint("dim", `      ${line}`)) : [])];
}
