// what the model would have been shown without us. Clients cut long results themselves; a cut of ours is measured
// against theirs, not against the whole text.
import { type ClientTraits, ownCutOf, type ShownThing } from "@jeeves/base";

/** A text as the client shows it to its model: whole, or cut by the client's own rules, with its words about that. */
export function clientView(text: string, client: ClientTraits | undefined, thing: ShownThing, model?: string): string {
  const cut = ownCutOf(client, thing, model);
  if (cut === undefined || (text.length <= cut.over && !hasMoreLines(text, cut.lines))) return text;
  const { chars, keeps, lines = Number.POSITIVE_INFINITY, ofFirst = text.length, beginningShare = 0.5 } = cut;
  const [before, between] = cut.says;
  if (keeps === "beginning") return `${before}${firstLines(text, lines).slice(0, chars)}${between}`;
  if (keeps === "end") return `${before}${lastLines(text, lines).slice(-chars)}${between}`;
  const looked = text.slice(0, ofFirst);
  const first = Math.floor(chars * beginningShare);
  return `${before}${looked.slice(0, first)}${between}${looked.slice(first - chars)}`;
}

function hasMoreLines(text: string, lines = Number.POSITIVE_INFINITY): boolean {
  return Number.isFinite(lines) && firstLines(text, lines).length < text.length;
}

function firstLines(text: string, lines: number): string {
  let at = -1;
  for (let line = 0; line < lines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) return text;
  }
  return text.slice(0, at + 1);
}

function lastLines(text: string, lines: number): string {
  // A final line end opens no line.
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < lines; line++) {
    at = at <= 0 ? -1 : text.lastIndexOf("\n", at - 1);
    if (at < 0) return text;
  }
  return text.slice(at + 1);
}
