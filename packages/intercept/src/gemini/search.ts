// Gemini's own search and glob. Matches are shown below "File: path" with "L12:" before each; they are read and shown again
// in ripgrep's form with headings, which every part of the pipeline knows and which is shorter.
import type { Reading } from "../hook/reading.ts";
import { filesReading, headingOf, searchReading } from "../hook/search-reading.ts";
import type { ToolEvent } from "../hook/tool-event.ts";
import { contentOf, replaceText, withoutFence } from "./content.ts";

const MATCH = /^L(\d+)([:-]) ?(.*)$/;
const HEADING = /^File: (?:\.\/)?(.+)$/;

/** The matches of a search; undefined where a line has another form. */
export function readGeminiGrep(event: ToolEvent): Reading | undefined {
  const { text, fence } = withoutFence(contentOf(event) ?? "");
  const [head = "", ...body] = text.split("\n");
  if (!/^Found \d+ match(?:es)? /.test(head)) return undefined;
  const lines: string[] = [];
  for (const line of body) {
    const [, number, sign, words = ""] = MATCH.exec(line) ?? [];
    const [, path] = HEADING.exec(line) ?? [];
    if (number !== undefined) lines.push(`${number}${sign}${words}`);
    else if (path !== undefined) lines.push(...headingOf(path, lines));
    else if (line !== "---" && line !== "") return undefined;
  }
  return searchReading(event, lines.join("\n"), (shown) => replaceText(fence(`${head}\n${shown}`)));
}

/** A list of paths below a line that counts them. */
export function readGeminiGlob(event: ToolEvent): Reading | undefined {
  const { text, fence } = withoutFence(contentOf(event) ?? "");
  const [head = "", ...files] = text.split("\n");
  if (!/^Found \d+ file\(s\)/.test(head) || files.some((line) => !line.startsWith("/"))) return undefined;
  return filesReading(event, files.join("\n"), (shown) => replaceText(fence(`${head}\n${shown}`)));
}
