// Reading what may be missing, and what may be anything: people and other programs reach into a haven. A named pipe in
// the place of a file would make a reader wait for ever, and no signal reaches it there; so it is looked at first.
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { systemCodeOf } from "@jeeves/base";
import { RudderError } from "../../rudder-error.ts";

const { O_RDONLY, O_NONBLOCK } = constants;

/**
 * The text of a file; undefined where there is none. Throws `broken_state` for what is no plain file, or cannot be
 * read.
 */
export function readIfThere(path: string): string | undefined {
  return readBytesIfThere(path)?.toString("utf8");
}

/** The same as bytes. */
export function readBytesIfThere(path: string): Buffer | undefined {
  try {
    const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
    try {
      if (!fstatSync(descriptor).isFile()) throw inTheWay(path);
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw toUnreadable(path, error);
  }
}

/** Sorted; none where there is no such directory. */
export function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return [];
    throw toUnreadable(dir, error);
  }
}

/** The error for what is no plain file where rudder keeps one. */
export function inTheWay(path: string): RudderError {
  return new RudderError("broken_state", `${path} is no plain file`, {
    hint: "move it away: rudder keeps a file of its own there",
    details: { path },
  });
}

function toUnreadable(path: string, error: unknown): unknown {
  const code = systemCodeOf(error);
  if (error instanceof RudderError || code === undefined) return error;
  return new RudderError("broken_state", `${path} cannot be read (${code})`, {
    hint: "let its owner read it; or move it away, if it is none of rudder's own",
    cause: error,
    details: { path, system: code },
  });
}
