// Check boxes (`- [ ] item`) of a body: found by words of their text, set by changing one character. Boxes in code and
// in comments are examples, not boxes.
import { RudderError } from "../rudder-error.ts";
import { outlineOf } from "./markdown-lines.ts";

/** A box by its text and its place. */
export interface Box {
  readonly text: string;
  readonly isChecked: boolean;
  /** Offset of the character between the brackets. */
  readonly at: number;
}

const BOX = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])\][ \t]+(.*)$/;

/** Every box of a body, from the first to the last. */
export function boxesOf(body: string): Box[] {
  return outlineOf(body).lines.flatMap(({ kind, text, start }) => {
    const found = kind === "text" ? BOX.exec(text) : null;
    if (found === null) return [];
    return [{ text: found[3] ?? "", isChecked: found[2] !== " ", at: start + (found[1]?.length ?? 0) }];
  });
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

/** The body with this box set; the same text where it was so already. */
export function setBox(body: string, box: Box, isChecked: boolean): string {
  if (box.isChecked === isChecked) return body;
  return `${body.slice(0, box.at)}${isChecked ? "x" : " "}${body.slice(box.at + 1)}`;
}
