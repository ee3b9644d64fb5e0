// opencode's own bash, failing or not. Of a long output the result has only the end; opencode writes all of it to a file,
// which is read here.
import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isRecord } from "@jeeves/base";
import { BOOKKEEPING_WAIT_MS, guarded, readPlainFile } from "@jeeves/state";
import { outputOf, replaceOutput } from "../hook/output.ts";
import type { CommandReading } from "../hook/reading.ts";
import { type ToolEvent, textOf } from "../hook/tool-event.ts";

/** A larger output is left as opencode shows it. */
const MAX_BYTES = 64 * 1024 * 1024;
/** What opencode adds behind the output of a command that it stopped. */
const METADATA = /\n*<(bash|shell)_metadata>[\s\S]*<\/\1_metadata>\s*$/;
const FOLDER = "tool-output";

/** The whole output of a command; undefined where a part of it cannot be read, or for a result of another shape. */
export async function readOpencodeCommand(event: ToolEvent): Promise<CommandReading | undefined> {
  const command = textOf(event.input.command);
  const output = outputOf(event);
  if (event.tool !== "Bash" || command === undefined || output === undefined) return undefined;
  const { metadata } = isRecord(event.response) ? event.response : {};
  const { exit, truncated, outputPath } = isRecord(metadata) ? metadata : {};
  const file = truncated === true ? textOf(outputPath) : undefined;
  // An incomplete output is not cut: the missing part could not be brought back.
  const text = file === undefined ? (truncated === true ? undefined : output) : await readWhole(file);
  const [said = ""] = METADATA.exec(output) ?? [];
  if (text === undefined) return undefined;
  return {
    command,
    text: file === undefined ? text.slice(0, text.length - said.length) : text,
    exitCode: typeof exit === "number" ? exit : 0,
    dir: textOf(event.input.workdir) ?? ".",
    replace: (shown) => replaceOutput(`${shown}${said}`),
  };
}

/** The content of a file that opencode made for an output; undefined for any other file, or where it cannot be read. */
async function readWhole(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    if (basename(dirname(real)) !== FOLDER) return undefined;
    const bytes = await guarded(dirname(real), BOOKKEEPING_WAIT_MS, () => readPlainFile(real, { maxBytes: MAX_BYTES }));
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
