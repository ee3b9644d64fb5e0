// Whether somebody asks for all of what a search finds (X-58): "every call site of X", "rename X". Such a search is not
// ranked. Only a phrase about what is searched counts; "fix all the tests" is no reason to show every match.
const MAX_OBJECT_CHARS = 80;

/** Each phrase is followed by what is to be found: "all uses of" X, "rename" X. */
const PHRASES: readonly RegExp[] = [
  // English
  /\b(?:all|every|each)\s+(?:(?:the|of|its|single|one|other|existing|remaining|direct)\s+){0,3}(?:call[\s-]?sites?|calls?|callers?|uses?|usages?|references?|occurrences?|instances?|mentions?|imports?|importers?|invocations?|match(?:es)?|hits?)\b(?!\s+cases?\b)(?:\s+(?:of|to|for|from))?/,
  /\b(?:everywhere|every\s+(?:place|spot|line|file)\s+(?:that|where|which|in\s+which)|all\s+(?:the\s+)?(?:places|spots|lines|files)\s+(?:that|where|which|in\s+which))\b/,
  /\brenam(?:e|ing)\b/,
  /\b(?:replace|substitute)\s+(?:all|every|each)\b(?:\s+(?:the|of))*/,
  // German
  /\b(?:alle[nr]?|jede[nrs]?|sämtliche[nr]?)\s+(?:\p{L}+\s+)?(?:aufruf(?:e|er|ern|en|stellen?)?|verwendung(?:en)?|benutzung(?:en)?|nutzung(?:en)?|referenz(?:en)?|verweise?n?|vorkommen|fundstellen?|stellen?|treffer|importe?|erwähnung(?:en)?)(?!\p{L})(?:\s+(?:von|vom|der|des|auf|für|wo))?/u,
  /(?<!\p{L})überall,?\s+wo\b/u,
  /\b(?:benenne|umbenennen|umzubenennen|umbenennung)\b(?:\s+(?:von|der|des))?/,
  // French
  /\b(?:tou(?:s|tes)\s+(?:les|ses)|chaque|chacune?\s+des)\s+(?:appels?|appelants?|utilisations?|usages?|emplois?|références?|occurrences?|endroits?|mentions?|imports?|lignes?)(?!\p{L})(?:\s+(?:de|du|des|à|au|où|qui)|\s+d[’'])?/u,
  /\bpartout\s+où\b/u,
  /\brenomme(?:r|z)?(?!\p{L})/u,
  // Spanish
  /\b(?:tod[oa]s\s+(?:l[oa]s|sus)|cada(?:\s+un[oa]\s+de\s+l[oa]s)?)\s+(?:llamadas?|usos?|referencias?|apariciones|aparición|ocurrencias?|lugar(?:es)?|sitios?|invocaci(?:ón|ones)|menci(?:ón|ones)|importaci(?:ón|ones)|líneas?)(?!\p{L})(?:\s+(?:de|del|a|al|donde|en))?/u,
  /\ben\s+todas\s+partes\s+donde\b/,
  /\b(?:renombr(?:a|ar|e)|cambi(?:a|ar|e)\s+el\s+nombre\s+de)(?!\p{L})/u,
];

/** Words of an object that name nothing: "every call site of this function" is about whatever is searched. */
const NAMELESS = new Set(
  (
    "the this that these those its their function functions method methods class classes type types variable constant " +
    "symbol name names helper module here there code codebase repo repository project across whole entire please and " +
    "then with into used called referenced mentioned find list show them was were are been have has for from over " +
    "der die das den dem des diese dieser dieses funktion methode klasse variable wird werden ist sind und aller hier " +
    "les des une cette cet ces fonction méthode classe est sont dans avec pour " +
    "los las una este esta estos función método clase son está para con por"
  ).split(" "),
);

/**
 * Returns whether a question or a derived focus asks for all of what is searched.
 * @param searched the pattern or the command of the search; a derived focus begins with it, and it says nothing here
 */
export function asksForAll(focus: string, searched: string): boolean {
  const own = searched.trim();
  const words = (focus.startsWith(own) ? focus.slice(own.length) : focus).normalize("NFC").toLowerCase();
  const pattern = own.normalize("NFC").toLowerCase();
  return PHRASES.some((phrase) => {
    for (const found of words.matchAll(new RegExp(phrase, `${phrase.flags}g`))) {
      const end = (found.index ?? 0) + found[0].length;
      const before = words.slice(Math.max(0, (found.index ?? 0) - MAX_OBJECT_CHARS), found.index);
      // German puts the verb last: "X in Y umbenennen".
      const isLast = /^umbenenn|^umzubenenn/.test(found[0]);
      const object = isLast ? (before.split(SENTENCE_END).at(-1) ?? "") : words.slice(end, end + MAX_OBJECT_CHARS);
      if (isAbout(isLast ? object : (object.split(SENTENCE_END)[0] ?? ""), pattern)) return true;
    }
    return false;
  });
}

const SENTENCE_END = /[;!?\n]|[.,:](?:\s|$)/;

function isAbout(object: string, pattern: string): boolean {
  const names = namesOf(object);
  if (names.length === 0) return true;
  const searched = namesOf(pattern);
  return names.some(
    (name) => pattern.includes(name) || searched.some((word) => word.length > 3 && name.includes(word)),
  );
}

function namesOf(text: string): string[] {
  return (text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter((word) => word.length > 2 && !NAMELESS.has(word));
}
