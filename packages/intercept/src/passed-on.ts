// The beginning of a command's output, which was passed on before anything could be decided about the rest.
import { StringDecoder } from "node:string_decoder";

export interface PassedOn {
  /** Whole lines at the top that stay, and their characters. */
  readonly headLines: number;
  readonly headChars: number;
  /** The beginning of the next line, where that line is too long to be shown whole for the sake of its beginning. */
  readonly brokenLine?: string;
}

/** A line whose beginning was passed on is kept whole if the rest of it has at most so many characters, ... */
const MAX_REST_CHARS = 4_000;
/** ... and takes at most this share of the room that is left: failures and the places of matches need the others. */
const MAX_REST_SHARE = 0.25;

/** @param maxChars what the client shows of all */
export function readPassedOn(text: string, bytes: number, maxChars = Number.POSITIVE_INFINITY): PassedOn {
  const decoder = new StringDecoder("utf8");
  let end = decoder.write(Buffer.from(text, "utf8").subarray(0, bytes)).length;
  // A character that was passed on in part can only be completed.
  if (decoder.end() !== "") end += String.fromCodePoint(text.codePointAt(end) ?? 0).length;
  const lineStart = text.slice(0, end).lastIndexOf("\n") + 1;
  const headLines = text.slice(0, lineStart).split("\n").length - 1;
  if (lineStart === end) return { headLines, headChars: end };
  const lineEnd = text.indexOf("\n", end);
  const nextStart = lineEnd < 0 ? text.length : lineEnd + 1;
  if (nextStart - end <= Math.min(MAX_REST_CHARS, (maxChars - end) * MAX_REST_SHARE))
    return { headLines: headLines + 1, headChars: nextStart };
  return { headLines, headChars: lineStart, brokenLine: text.slice(lineStart, end) };
}
