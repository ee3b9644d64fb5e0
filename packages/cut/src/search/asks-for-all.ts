// Recognises requests for all of what a search finds: "every call site of X", "rename X". Such a search is not
// ranked. Only a phrase about what is searched counts: "fix all the tests" does not.
const MAX_OBJECT_CHARS = 80;

const END = String.raw`(?=\s*(?:[.,;:!?)]|$))`;
const phrase = (source: string) => new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, "gu");

const CALLS =
  "call[\\s-]?sites?|calls?|callers?|uses?|usages?|references?|occurrences?|instances?|mentions?|imports?|importers?|" +
  "invocations?|match(?:es)?|hits?";
const AUFRUFE =
  "aufruf(?:e|er|ern|en|stellen?)?|verwendung(?:en)?|benutzung(?:en)?|nutzung(?:en)?|referenz(?:en)?|verweise?n?|" +
  "vorkommen|fundstellen?|stellen?|treffer|importe?|erwähnung(?:en)?";
const APPELS =
  "appels?|appelants?|utilisations?|usages?|emplois?|références?|occurrences?|endroits?|mentions?|imports?|lignes?";
const LLAMADAS =
  "llamadas?|usos?|referencias?|aparición|apariciones|ocurrencias?|lugar(?:es)?|sitios?|invocaci(?:ón|ones)|" +
  "menci(?:ón|ones)|importaci(?:ón|ones)|líneas?";

/** Each phrase is followed by what is to be found, unless it has that in a group of its own. */
const PHRASES: readonly RegExp[] = [
  // English
  `(?:all|every|each)\\s+(?:(?:the|of|its|single|one|other|existing|remaining|direct)\\s+){0,3}(?:${CALLS})(?:\\s+(?:of|to|for|from)|${END})`,
  `(?:all|every|each)\\s+(?:(?:the|of)\\s+){0,2}[\`'"]?(?<object>[\\p{L}_$][\\p{L}\\p{N}_$.]{2,60})(?:\\(\\))?[\`'"]?\\s+(?:${CALLS})`,
  "everywhere|(?:every\\s+(?:place|spot|line|file)|all\\s+(?:the\\s+)?(?:places|spots|lines|files))\\s+(?:that|where|which|in\\s+which)",
  "renam(?:e|ing)",
  "(?:replace|substitute)\\s+(?:all|every|each)(?:\\s+(?:the|of)){0,2}",
  // German
  `(?:alle[nr]?|jede[nrs]?|sämtliche[nr]?)\\s+(?:\\p{L}+\\s+)?(?:${AUFRUFE})(?:\\s+(?:von|vom|der|des|auf|für|wo)|${END})`,
  "überall,?\\s+wo",
  "benenne|umbenennung(?:\\s+(?:von|der|des))?",
  "(?<object>[^.,;:!?\\n]{0,80}?)\\s(?:umbenennen|umzubenennen)",
  // French
  `(?:tou(?:s|tes)\\s+(?:les|ses)|chaque|chacune?\\s+des)\\s+(?:${APPELS})(?:\\s+(?:de|du|des|à|au|où|qui)|\\s+d(?=[’'])|${END})`,
  "partout\\s+où",
  "renomme(?:r|z)?",
  // Spanish
  `(?:tod[oa]s\\s+(?:l[oa]s|sus)|cada(?:\\s+un[oa]\\s+de\\s+l[oa]s)?)\\s+(?:${LLAMADAS})(?:\\s+(?:de|del|a|al|donde|en)|${END})`,
  "en\\s+todas\\s+partes\\s+donde",
  "renombr(?:a|ar|e)|cambi(?:a|ar|e)\\s+el\\s+nombre\\s+de",
].map(phrase);

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
 * @param searched the pattern or the command of the search; where the focus begins with it, that part is ignored
 */
export function asksForAll(focus: string, searched: string): boolean {
  const own = searched.trim();
  const words = (focus.startsWith(own) ? focus.slice(own.length) : focus).normalize("NFC").toLowerCase();
  const pattern = own.normalize("NFC").toLowerCase();
  return PHRASES.some((known) =>
    [...words.matchAll(known)].some((found) => {
      const end = found.index + found[0].length;
      const behind = words.slice(end, end + MAX_OBJECT_CHARS).split(SENTENCE_END)[0] ?? "";
      return isAbout(found.groups?.object ?? behind, pattern);
    }),
  );
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
