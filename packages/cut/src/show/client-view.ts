// what the model would have been shown without us. Clients cut long results themselves; a cut of ours is measured
// against theirs, not against the whole text.
import { type ClientTraits, ownCutOf, type ShownThing } from "@jeeves/base";

/** The text as the client shows it: whole, or its beginning or its ends with the client's words about it. */
export function clientView(text: string, client: ClientTraits | undefined, thing: ShownThing, model?: string): string {
  const cut = ownCutOf(client, thing, model);
  if (cut === undefined || text.length <= cut.over) return text;
  const { chars, keeps, ofFirst = text.length } = cut;
  const [before, between] = cut.says;
  if (keeps === "beginning") return `${before}${text.slice(0, chars)}${between}`;
  const looked = text.slice(0, ofFirst);
  return `${before}${looked.slice(0, chars / 2)}${between}${looked.slice(-chars / 2)}`;
}
