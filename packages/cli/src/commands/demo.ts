// `jeeves demo`: two real cuts, each on one screen: a failing test run of 20,000 lines, and one file of this project. Of
// both, some of what was left out is brought back.
import { readFile } from "node:fs/promises";
import { findBeside, traitsOf } from "@jeeves/base";
import { clientView, createCutter, createInProcessEngine, recover, type ShownCut } from "@jeeves/cut";
import { openRecoveryStore, type RecoveryStore, StateError } from "@jeeves/state";
import { type CutByHand, callerOf, toCutRequest } from "../by-hand.ts";
import { CliError } from "../cli-error.ts";
import { FAILURE, failingRun } from "../setup/failing-run.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint, type Paint } from "../terminal/paint.ts";

const FILE = "kit/src/http/serve-http.ts";
const FILE_QUESTION = "What happens to requests in flight when the server is told to stop?";
/** Small enough for one screen. */
const FILE_SHARE = 0.09;
const RUN = { cases: 20_000, failing: 12_080 };
const RUN_QUESTION = "Which test fails, and why?";

/** What one of the two scenes is about. */
interface Scene {
  readonly title: string;
  readonly text: string;
  readonly cut: CutByHand;
  /** Printed below the figures. */
  readonly note: (count: (text: string) => number) => string;
}

interface Stage {
  readonly store: RecoveryStore;
  readonly env: NodeJS.ProcessEnv;
  readonly paint: Paint;
  readonly count: (text: string) => number;
  out(line?: string): void;
}

/** Prints both. Exit code 1 where recovered lines are not those left out; throws CliError where nothing is cut. */
export async function demoCommand(): Promise<void> {
  const { env } = process;
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const paint = createPaint(process.stdout, env);
  const out = (line = "") => void process.stdout.write(`${line}\n`);
  const stage: Stage = { store: openRecoveryStore({ env }), env, paint, count: (text) => countTokens(text), out };
  await play(testRun(), stage);
  await play(await oneFile(), stage);
  out(paint("bold", "On your own work"));
  out(
    `  ${ownCommand("look").padEnd(18)} what your last week was like, from your clients' transcripts; changes nothing`,
  );
  out(
    `  ${ownCommand("setup").padEnd(18)} connects the clients on this machine; ${ownCommand("uninstall")} takes it out again`,
  );
}

function testRun(): Scene {
  const text = failingRun(RUN);
  return {
    title: "1. A failing test run of 20,000 lines",
    text,
    cut: { focus: RUN_QUESTION, kind: "logs" },
    note(count) {
      const traits = traitsOf("claude-code");
      const shown = clientView(text, traits, "failedCommand");
      const sees = shown.includes(FAILURE) ? "the failure among them" : "and the failure is not in it";
      return `${traits.title} alone shows the two ends of it, ${grouped(count(shown))} tokens, ${sees}.`;
    },
  };
}

async function oneFile(): Promise<Scene> {
  const path = findBeside(FILE, import.meta.url);
  if (path === undefined) throw new CliError(`packages/${FILE} is not here`, "install jeeves again");
  return {
    title: `2. One file: packages/${FILE}`,
    text: await readFile(path, "utf8"),
    cut: { focus: FILE_QUESTION, path: FILE, keep: FILE_SHARE },
    note: () => "An agent that wants more reads the file by lines, or asks for a block by its id.",
  };
}

async function play({ title, text, cut, note }: Scene, stage: Stage): Promise<void> {
  const { store, env, paint, count, out } = stage;
  // Without a meter: a demonstration saves no agent anything.
  const cutter = createCutter({ engine: createInProcessEngine(), store, env });
  const result = await cutter.cut(await toCutRequest(text, cut, env));
  if (result.kind === "whole") throw refusalOf(result.reason, result.cause);
  const kept = result.parts.join("");
  const [before, after] = [count(text), count(kept)];
  out(paint("bold", title));
  out(`Question: ${cut.focus}`);
  out();
  for (const line of kept.replace(/\n$/, "").split("\n")) out(`  ${line.startsWith("⟦") ? paint("cyan", line) : line}`);
  out();
  const less = `${percent(before, after)} less to read`;
  out(paint("green", `${grouped(after)} tokens instead of ${grouped(before)} (o200k): ${less}`));
  out(note(count));
  out();
  await bringBack(result, text, stage);
  out();
}

async function bringBack({ blocks, pruneId }: ShownCut, text: string, { store, env, paint, out }: Stage) {
  const block = blocks.filter(({ chars }) => chars === undefined).toSorted((a, b) => a.lineCount - b.lineCount)[0];
  if (block === undefined) return;
  const range = { startLine: block.startLine, endLine: Math.min(block.endLine, block.startLine + 2) };
  const found = await recover({ pruneId, ranges: [range], caller: callerOf("recover", env) }, { store });
  const lines = found.kind === "recovered" ? found.text : "";
  const wanted = text.split("\n").slice(range.startLine - 1, range.endLine);
  out(`The way back: ${ownCommand(`recover ${pruneId} --lines ${range.startLine}-${range.endLine}`)}`);
  for (const line of lines.split("\n")) out(`  ${paint("dim", line)}`);
  const isExact = lines === wanted.join("\n");
  out(isExact ? paint("green", "  byte for byte what was left out") : paint("red", "  NOT what was left out"));
  if (!isExact) process.exitCode = 1;
}

function refusalOf(reason: string, cause: unknown): CliError {
  if (cause instanceof StateError) return new CliError(cause.message, cause.hint);
  return new CliError(`nothing was cut: ${reason}`, `${ownCommand("doctor")} tells what is missing here`);
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function percent(before: number, after: number): string {
  const share = 100 * (1 - after / before);
  return `${share > 99 ? share.toFixed(1) : Math.round(share)} %`;
}
