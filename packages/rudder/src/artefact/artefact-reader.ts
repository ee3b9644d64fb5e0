// Reads artefacts for a store that asks for the same few again and again: a text that has not changed is not read twice.
import type { Digits } from "../ids.ts";
import { type Artefact, type ArtefactPlace, readArtefact } from "./artefact.ts";

/** Reads the text of the artefact at this place. */
export type ArtefactReader = (text: string, place: ArtefactPlace) => Artefact;

const MAX_KNOWN = 256;
/** Longer texts are few, and not worth the memory. */
const MAX_CHARS = 16_384;

/** A reader that remembers what it read last. */
export function createArtefactReader(digits: Digits): ArtefactReader {
  const known = new Map<string, { readonly text: string; readonly artefact: Artefact }>();
  return (text, place) => {
    const last = known.get(place.path);
    if (last?.text === text) return last.artefact;
    const artefact = readArtefact(text, place, digits);
    known.delete(place.path);
    if (text.length > MAX_CHARS) return artefact;
    known.set(place.path, { text, artefact });
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return artefact;
  };
}
