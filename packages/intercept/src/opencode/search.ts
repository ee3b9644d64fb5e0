// opencode's own grep and glob. Matches are shown with their file above them and "Line 12:" before each; they are read and
// shown again in ripgrep's form with headings, which every part of the pipeline knows and which is shorter.
import { relative } from "node:path";
import { outputOf, replaceOutput } from "../hook/output.ts";
import type { Reading } from "../hook/reading.ts";
import { filesReading, headingOf, searchReading } from "../hook/search-reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";

const FOUND = /^Found \d+ match(?:es)?[^\n]*\n/;
const NOTE = /\n\n(\((?:Results|Some)[^\n]*\))\s*$/;
const MATCH = /^ {2}Line (\d+): ?(.*)$/;

/** The matches of a search; undefined where a line has another form. */
export function readOpencodeGrep(event: ToolEvent): Reading | undefined {
  const output = outputOf(event) ?? "";
  const [found] = FOUND.exec(output) ?? [];
  const [, note] = NOTE.exec(output) ?? [];
  if (found === undefined) return undefined;
  const body = output.slice(found.length).replace(NOTE, "");
  const lines: string[] = [];
  for (const line of body.split("\n")) {
    const [, number, text] = MATCH.exec(line) ?? [];
    if (number !== undefined) lines.push(`${number}:${text ?? ""}`);
    else if (/^\S.*:$/.test(line)) lines.push(...headingOf(shorter(line.slice(0, -1), event.cwd), lines));
    else if (line !== "") return undefined;
  }
  const replace = (shown: string) => replaceOutput([found.trimEnd(), shown, ...(note ? [note] : [])].join("\n"));
  return searchReading(event, lines.join("\n"), replace);
}

/** A list of paths, cut off by opencode after a hundred. */
export function readOpencodeGlob(event: ToolEvent): Reading | undefined {
  const output = outputOf(event) ?? "";
  const [, note] = NOTE.exec(output) ?? [];
  const files = output.replace(NOTE, "").trimEnd();
  if (files.split("\n").some((line) => !line.startsWith("/"))) return undefined;
  return filesReading(event, files, (shown) => replaceOutput([shown, ...(note ? ["", note] : [])].join("\n")));
}

function shorter(path: string, cwd: string | undefined): string {
  const below = cwd === undefined ? path : relative(cwd, path);
  return below === "" || below.startsWith("..") ? path : below;
}
