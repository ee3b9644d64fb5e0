// `jeeves demo`: one real cut of one real file of this project, a block of it brought back, and how to connect a client.
import { readFile } from "node:fs/promises";
import { findBeside } from "@jeeves/base";
import { createCutter, createInProcessEngine, recover } from "@jeeves/cut";
import { openRecoveryStore, StateError } from "@jeeves/state";
import { callerOf, toCutRequest } from "../by-hand.ts";
import { CliError } from "../cli-error.ts";
import { KNOWN_CLIENTS } from "../find-clients.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint } from "../terminal/paint.ts";

const FILE = "kit/src/http/serve-http.ts";
const QUESTION = "What happens to requests in flight when the server is told to stop?";

export async function demoCommand(): Promise<void> {
  const path = findBeside(FILE, import.meta.url);
  if (path === undefined) throw new CliError(`packages/${FILE} is not here`, "install jeeves again");
  const text = await readFile(path, "utf8");
  const { env } = process;
  const store = openRecoveryStore({ env });
  // Without a meter: a demonstration saves no agent anything.
  const cutter = createCutter({ engine: createInProcessEngine(), store, env });
  const result = await cutter.cut(await toCutRequest(text, { focus: QUESTION, path: FILE }, env));
  if (result.kind === "whole") throw refusalOf(result.reason, result.cause);
  const { table, blocks, pruneId } = result;
  const kept = result.parts.join("");
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const [before, after] = [countTokens(text), countTokens(kept)];

  const paint = createPaint(process.stdout, process.env);
  const out = (line = "") => process.stdout.write(`${line}\n`);
  out(`${paint("bold", "File")}      packages/${FILE}, ${table.count} lines, ${before} tokens`);
  out(`${paint("bold", "Question")}  ${QUESTION}`);
  out();
  for (const line of kept.replace(/\n$/, "").split("\n")) out(`  ${line.startsWith("⟦") ? paint("cyan", line) : line}`);
  out();
  out(
    `${paint("bold", "Answer")}    ${after} tokens instead of ${before} (o200k): ${percent(before, after)} less to read`,
  );

  const block = blocks.filter(({ chars }) => chars === undefined).toSorted((a, b) => a.lineCount - b.lineCount)[0];
  if (block !== undefined) {
    const found = await recover({ pruneId, ranges: [block], caller: callerOf("recover", env) }, { store });
    const lines = found.kind === "recovered" ? found.text : "";
    const isExact =
      lines ===
      text
        .split("\n")
        .slice(block.startLine - 1, block.endLine)
        .join("\n");
    out();
    const way = ownCommand(`recover ${pruneId} --lines ${block.startLine}-${block.endLine}`);
    out(`${paint("bold", "The way back")}  ${way}`);
    for (const line of lines.split("\n")) out(`  ${paint("dim", line)}`);
    out(isExact ? paint("green", "  byte for byte what the file holds") : paint("red", "  NOT what the file holds"));
    if (!isExact) process.exitCode = 1;
  }

  out();
  out(paint("bold", "Connect a client"));
  out(`  ${"all of them".padEnd(12)}  ${ownCommand("setup")}`);
  for (const { title, name } of KNOWN_CLIENTS) out(`  ${title.padEnd(12)}  ${ownCommand(`init ${name}`)}`);
}

function refusalOf(reason: string, cause: unknown): CliError {
  if (cause instanceof StateError) return new CliError(cause.message, cause.hint);
  return new CliError(`nothing was cut: ${reason}`, "jeeves doctor tells what is missing here");
}

function percent(before: number, after: number): string {
  return `${Math.round((1 - after / before) * 100)} %`;
}
