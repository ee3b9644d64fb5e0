// An artefact's text cut into its YAML front matter and its Markdown body, by offsets: nothing is rewritten here. Every
// scalar is read as the text that stands there (failsafe schema), so that 1.20 stays 1.20 and "no" stays a word.
import { isRecord } from "@jeeves/base";
import { type Document, isMap, LineCounter, parseDocument } from "yaml";
import { RudderError } from "../rudder-error.ts";

/** The parts of a file, by their offsets. */
export interface ArtefactText {
  readonly text: string;
  /** Offsets of the YAML between the two `---` lines; both equal where there is none. */
  readonly frontStart: number;
  readonly frontEnd: number;
  readonly bodyStart: number;
  /** The file's own line end. */
  readonly eol: "\n" | "\r\n";
}

interface BrokenFront {
  /** 1-based, in the whole file. */
  readonly line: number;
  readonly message: string;
}

const NEVER_CLOSED = "its front matter is never closed by a line ---";
const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/gm;

/** Finds the parts of a file. Front matter that is missing or never closed is no error here; parseFront reports it. */
export function splitArtefact(text: string): ArtefactText {
  const eol = /\r\n/.test(text.slice(0, 4096)) ? "\r\n" : "\n";
  const opening = OPENING.exec(text);
  if (opening === null) return { text, frontStart: 0, frontEnd: 0, bodyStart: 0, eol };
  const frontStart = opening[0].length;
  CLOSING.lastIndex = frontStart;
  const closing = CLOSING.exec(text);
  if (closing === null) return { text, frontStart, frontEnd: text.length, bodyStart: text.length, eol };
  return { text, frontStart, frontEnd: closing.index, bodyStart: closing.index + closing[0].length, eol };
}

type FrontResult =
  | { readonly ok: true; readonly document: Document.Parsed; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: BrokenFront };

/** The fields of the front matter, every scalar as its text; or what is wrong, and on which line. */
export function parseFront(artefact: ArtefactText): FrontResult {
  const { text, frontStart, frontEnd } = artefact;
  if (frontStart === 0) return broken(1, "it does not start with front matter (a line ---)");
  if (isFrontOpen(artefact)) return broken(1, NEVER_CLOSED);
  const lines = new LineCounter();
  const document = parseDocument(text.slice(frontStart, frontEnd), { schema: "failsafe", lineCounter: lines });
  const error = document.errors[0];
  // The `---` above is line 1 of the file, so line 1 of the YAML is line 2.
  if (error !== undefined) return broken(lines.linePos(error.pos[0]).line + 1, firstLine(error.message));
  if (document.contents !== null && !isMap(document.contents))
    return broken(2, "its front matter is no list of fields");
  try {
    const fields: unknown = document.toJS({ maxAliasCount: 100 });
    return { ok: true, document, fields: isRecord(fields) ? fields : {} };
  } catch (error) {
    return broken(2, firstLine(error instanceof Error ? error.message : String(error)));
  }
}

/** Front matter without an end: where the body begins is unknown. */
function isFrontOpen({ text, frontStart, frontEnd, bodyStart }: ArtefactText): boolean {
  return (
    frontStart > 0 &&
    frontEnd === text.length &&
    bodyStart === text.length &&
    !/(?:^|\n)(?:---|\.\.\.)[ \t]*$/.test(text)
  );
}

/** The text with another body. Throws where nothing closes the front matter: an edit would land in it. */
export function editBody(
  text: string,
  where: { readonly path: string },
  edit: (body: string, how: { readonly eol: string }) => string,
): string {
  const artefact = splitArtefact(text);
  if (isFrontOpen(artefact)) {
    throw new RudderError("broken_artefact", `${where.path}: ${NEVER_CLOSED}`, {
      hint: "close it: a line --- below the last field; then run the command again",
      details: { path: where.path, line: 1 },
    });
  }
  const { bodyStart, eol } = artefact;
  return text.slice(0, bodyStart) + edit(text.slice(bodyStart), { eol });
}

function broken(line: number, message: string): FrontResult {
  return { ok: false, problem: { line, message } };
}

function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
}
