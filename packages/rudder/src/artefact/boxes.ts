// Check boxes (`- [ ] item`) of a body: found by words of their text, set by changing one character.
import { RudderError } from "../rudder-error.ts";

export interface Box {
  readonly text: string;
  readonly isChecked: boolean;
  /** Offset of the character between the brackets. */
  readonly at: number;
}

const BOX = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])\][ \t]+(.*?)[ \t]*\r?$/gm;

export function boxesOf(body: string): Box[] {
  return [...body.matchAll(BOX)].map((found) => ({
    text: found[3] ?? "",
    isChecked: found[2] !== " ",
    at: found.index + (found[1]?.length ?? 0),
  }));
}

/** The box whose text is, or else holds, these words; two that fit equally well are refused by name. */
export function findBox(body: string, words: string, id: string): Box {
  const boxes = boxesOf(body);
  const wanted = words.trim().toLowerCase();
  const exact = boxes.filter((box) => box.text.toLowerCase() === wanted);
  const fitting = exact.length > 0 ? exact : boxes.filter((box) => box.text.toLowerCase().includes(wanted));
  const [box] = fitting;
  if (box !== undefined && fitting.length === 1 && wanted !== "") return box;
  const shown = (fitting.length > 1 ? fitting : boxes).map((one) => one.text);
  throw new RudderError(
    "not_found",
    fitting.length > 1 && wanted !== ""
      ? `${fitting.length} boxes of ${id} hold ${JSON.stringify(words)}`
      : `${id} has no box that holds ${JSON.stringify(words)}`,
    {
      hint: shown.length === 0 ? `${id} has no boxes (- [ ] …) at all` : `its boxes: ${shown.join(" | ")}`,
      details: { boxes: shown },
    },
  );
}

export function setBox(body: string, box: Box, isChecked: boolean): string {
  if (box.isChecked === isChecked) return body;
  return `${body.slice(0, box.at)}${isChecked ? "x" : " "}${body.slice(box.at + 1)}`;
}
