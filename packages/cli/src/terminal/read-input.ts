// The text that a command works on: a file or stdin, whole. Text that is not UTF-8 is refused rather than rewritten.
import { constants } from "node:buffer";
import { fstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { systemCodeOf } from "@jeeves/base";
import { CliError } from "../cli-error.ts";

/** The input is no text. The error carries its bytes, because a pipe cannot be read again. */
export class NotTextError extends CliError {
  readonly bytes: Buffer;

  constructor(message: string, hint: string, bytes: Buffer) {
    super(message, hint);
    this.bytes = bytes;
  }
}

const NEXT = "give the path of a text file, or - for stdin";

/** Reads a file, or stdin for `-`. Throws NotTextError for what is not UTF-8 text, CliError where it cannot be read. */
export async function readInput(file: string): Promise<string> {
  const bytes = file === "-" ? await readStdin() : await readBytes(file);
  const name = file === "-" ? "stdin" : file;
  if (bytes.subarray(0, 8_192).includes(0))
    throw new NotTextError(`${name} is binary (${bytes.length} bytes)`, "only text can be pruned", bytes);
  if (bytes.length > constants.MAX_STRING_LENGTH)
    throw new CliError(`${name} is too large (${Math.round(bytes.length / 1e6)} MB)`, "cut a part out of it first");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotTextError(
      `${name} is not valid UTF-8`,
      "convert it first (iconv -t utf-8), so that what comes back is exact",
      bytes,
    );
  }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = systemCodeOf(error);
    const why =
      code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a directory" : `cannot be read (${code})`;
    throw new CliError(`${file} ${why}`, NEXT);
  }
}

async function readStdin(): Promise<Buffer> {
  // Node reads a directory as an empty stream.
  if (fstatSync(0).isDirectory()) throw new CliError("stdin is a directory", NEXT);
  if (process.stdin.isTTY) process.stderr.write("jeeves: reading the text from the terminal; end it with Ctrl-D\n");
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
