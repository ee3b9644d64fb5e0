// `jeeves demo`: one real cut of one real file of this project, a block of it brought back, and how to connect a client.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { linesOf, renderPruned, shortMarker } from "@jeeves/prune";
import { createDiskStore } from "@jeeves/state";
import { CliError } from "../cli-error.ts";
import { cutText } from "../cut-text.ts";
import { USUAL_CLIENTS } from "../find-clients.ts";
import { ownCommand } from "../own-command.ts";
import { createPaint } from "../paint.ts";

/** From the bundle in packages/cli/dist/chunks, and from the source, to the packages beside this one. */
const PACKAGES = ["../../..", "../../../.."].map((up) => fileURLToPath(new URL(`${up}/`, import.meta.url)));
const FILE = "kit/src/http/serve-http.ts";
const QUESTION = "What happens to requests in flight when the server is told to stop?";

export async function demoCommand(): Promise<void> {
  const base = PACKAGES.find((dir) => existsSync(`${dir}${FILE}`));
  if (base === undefined)
    throw new CliError(`packages/${FILE} is not here`, "run the demo from a clone of the project");
  const text = await readFile(`${base}${FILE}`, "utf8");
  const { pruned, pruneId } = await cutText(text, { focus: QUESTION, path: FILE });
  const kept = renderPruned(text, pruned, { marker: shortMarker });
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const [before, after] = [countTokens(text), countTokens(kept)];

  const paint = createPaint(process.stdout, process.env);
  const out = (line = "") => process.stdout.write(`${line}\n`);
  out(`${paint("bold", "File")}      packages/${FILE}, ${pruned.lineCount} lines, ${before} tokens`);
  out(`${paint("bold", "Question")}  ${QUESTION}`);
  out();
  for (const line of kept.replace(/\n$/, "").split("\n")) out(`  ${line.startsWith("⟦") ? paint("cyan", line) : line}`);
  out();
  out(
    `${paint("bold", "Answer")}    ${after} tokens instead of ${before} (o200k): ${percent(before, after)} less to read`,
  );

  const block = pruned.blocks.toSorted((a, b) => a.lineCount - b.lineCount)[0];
  if (block !== undefined) {
    const stored = await createDiskStore({ env: process.env })
      .get(pruneId)
      .catch(() => undefined);
    const lines = linesOf(stored?.text ?? "", block.startLine, block.endLine);
    const isExact = lines === linesOf(text, block.startLine, block.endLine);
    out();
    const way = ownCommand(`recover ${pruneId} --lines ${block.startLine}-${block.endLine}`);
    out(`${paint("bold", "The way back")}  ${way}`);
    for (const line of lines.split("\n")) out(`  ${paint("dim", line)}`);
    out(isExact ? paint("green", "  byte for byte what the file holds") : paint("red", "  NOT what the file holds"));
    if (!isExact) process.exitCode = 1;
  }

  out();
  out(paint("bold", "Connect a client"));
  for (const { title, name } of USUAL_CLIENTS) out(`  ${title.padEnd(12)}  ${ownCommand(`init ${name}`)}`);
}

function percent(before: number, after: number): string {
  return `${Math.round((1 - after / before) * 100)} %`;
}
