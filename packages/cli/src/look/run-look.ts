// `jeeves look`: what the last week was like, from the user's own transcripts, and what each policy would have made of it.
import { writeFile } from "node:fs/promises";
import { CLIENTS, homeOf, systemCodeOf } from "@jeeves/base";
import { createInProcessEngine, meterFiles, policyLevelOf } from "@jeeves/cut";
import { CliError } from "../cli-error.ts";
import { parseSince } from "../stats/period.ts";
import { openTranscriptBook } from "../stats/transcript-book.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint } from "../terminal/paint.ts";
import { progressLine } from "../terminal/progress-line.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";
import { type Looked, look } from "./overview.ts";
import { type Replayable, replayOne } from "./replay-some.ts";
import { toSessionHtml } from "./session-html.ts";
import { snakeCased } from "./snake-cased.ts";
import { toMarkdown, toScreen } from "./words.ts";

const DEFAULT_SINCE = "7d";

/** The options of the command. */
interface LookCommandOptions {
  readonly since?: number;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
  readonly session?: string;
  readonly all?: boolean;
}

/** Prints the overview, or writes it where a file is named. */
export async function lookCommand({ json = false, all = false, ...options }: LookCommandOptions): Promise<void> {
  tellStateFaults();
  const { env } = process;
  const sinceMs = options.since ?? parseSince(DEFAULT_SINCE, Date.now()) ?? 0;
  const tell = progressLine(process.stderr);
  const stop = new AbortController();
  const onSignal = () => stop.abort(new CliError("stopped", "nothing was written"));
  process.once("SIGINT", onSignal);
  try {
    const looked = await look(openTranscriptBook(env), {
      ...{ env, sinceMs, isAll: all, signal: stop.signal },
      onProgress: (stage, done, total) => tell(`${stage} ${done + 1} of ${total}`),
    });
    tell("");
    const { overview } = looked;
    if (options.markdown !== undefined) await write(options.markdown, `${toMarkdown(overview)}\n`);
    if (options.html !== undefined) await writeSession(looked, { file: options.html, id: options.session, env });
    if (json) process.stdout.write(`${JSON.stringify(snakeCased(overview))}\n`);
    else if (options.markdown === undefined && options.html === undefined) {
      const isConnected = (await meterFiles(env)).length > 0;
      const lines = toScreen(overview, { paint: createPaint(process.stdout, env), command: ownCommand, isConnected });
      process.stdout.write(`${lines.join("\n")}\n`);
    }
  } finally {
    tell("");
    process.off("SIGINT", onSignal);
  }
}

async function writeSession(
  { sample, sessions }: Looked,
  { file, id, env }: { readonly file: string; readonly id: string | undefined; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const found = id === undefined ? sample.chosen : sample.chosen.filter(({ session }) => session.id.startsWith(id));
  if (found.length === 0) throw noSession(id, sessions.length);
  const { redact, engine } = await openParts();
  const policy = policyLevelOf(env);
  // Without a name, the newest session in which something would be cut.
  let made: { readonly one: Replayable; readonly page: ReturnType<typeof toSessionHtml> } | undefined;
  for (const one of found) {
    const { outputs } = await replayOne(one, policy, { engine, env });
    const { client, firstMs } = one.session;
    const title = CLIENTS.find((traits) => traits.id === client)?.title ?? client;
    const startedAt = new Date(firstMs).toISOString();
    const page = toSessionHtml({ client: title, startedAt, policy, outputs, redact, home: homeOf(env) });
    made ??= { one, page };
    if (page.cuts > 0) made = { one, page };
    if (page.cuts > 0 || id !== undefined) break;
  }
  if (made === undefined) throw noSession(id, sessions.length);
  await write(file, made.page.html);
}

async function openParts() {
  const { createRedactor } = await import("@jeeves/workspace/redact");
  return { redact: await createRedactor(), engine: createInProcessEngine() };
}

function noSession(id: string | undefined, count: number): CliError {
  if (count === 0) return new CliError("there is no session of this time", "--since 30d looks further back");
  if (id === undefined) return new CliError("no session of this time can be replayed", "--all replays large ones, too");
  return new CliError(`no session ${id} among those that are replayed`, "--since all --all looks at every session");
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { mode: 0o600 });
  } catch (error) {
    throw new CliError(
      `cannot write ${file}: ${systemCodeOf(error) ?? String(error)}`,
      "name a file that can be written",
    );
  }
  process.stderr.write(`wrote ${file}\n`);
}
