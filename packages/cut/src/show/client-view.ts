// what the model would have been shown without us. Clients cut long results themselves; a cut of ours is measured
// against theirs, not against the whole text.
import { type ClientTraits, ownCutOf, type ShownThing } from "@jeeves/base";

/** Stands for the words in which a client says that it cut: where the whole text is, and how much is missing. */
const NOTICE = "\n\n... [output too large: the full text was saved to a file, the rest was cut by the client] ...\n\n";

/** The text as the client shows it: whole, its beginning, or its ends. */
export function clientView(text: string, client: ClientTraits | undefined, thing: ShownThing): string {
  const cut = ownCutOf(client, thing);
  if (cut === undefined || text.length <= cut.over) return text;
  const { chars, keeps, ofFirst = text.length } = cut;
  if (keeps === "beginning") return `${text.slice(0, chars)}${NOTICE}`;
  const looked = text.slice(0, ofFirst);
  return `${looked.slice(0, chars / 2)}${NOTICE}${looked.slice(-chars / 2)}`;
}
