// A document that a person hands in (a plan, an export): bytes that must be text, with the line at which they are not.
import { isUtf8 } from "node:buffer";
import { RudderError } from "../rudder-error.ts";

/** One thing that is wrong with a document; lines count from 1. */
export interface DocumentProblem {
  readonly line: number;
  readonly message: string;
}

const SHOWN = 20;

/** A document as it came in, and what to call it in errors. */
export interface GivenDocument {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The text with plain line ends and without a byte order mark; refuses what is too long, binary, or not UTF-8. */
export function readDocument(
  given: GivenDocument,
  options: { readonly maxBytes: number; readonly what: string },
): string {
  const { bytes, name } = given;
  const { maxBytes, what } = options;
  if (bytes.length > maxBytes) {
    throw new RudderError("invalid_argument", `${name} has more than ${maxBytes} bytes`, {
      hint: `${what} has at most ${maxBytes} bytes: cut it into several`,
    });
  }
  const zero = bytes.indexOf(0);
  if (zero >= 0) throw notText(given, lineAt(bytes, zero), what);
  if (!isUtf8(bytes)) throw notText(given, firstBrokenLine(bytes), what);
  return Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n");
}

/** Everything that is wrong, by line; `hint` describes the right form. */
export function documentError(name: string, problems: readonly DocumentProblem[], hint: string): RudderError {
  const inOrder = [...problems].sort((a, b) => a.line - b.line);
  const shown = inOrder.slice(0, SHOWN).map(({ line, message }) => `${name}:${line}: ${message}`);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? [`… ${rest} more`] : [];
  return new RudderError("invalid_argument", [...shown, ...more].join("\n"), {
    hint,
    details: { problems: inOrder },
  });
}

function notText({ name }: GivenDocument, line: number, what: string): RudderError {
  return documentError(name, [{ line, message: "this is not text in UTF-8" }], `${what} is a text file in UTF-8`);
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at++) if (bytes[at] === 0x0a) line += 1;
  return line;
}

/** A line end is never a part of a longer character, so each line can be looked at alone. */
function firstBrokenLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (!isUtf8(bytes.subarray(start, end < 0 ? bytes.length : end))) return line;
    if (end < 0) break;
    start = end + 1;
  }
  return line;
}
