// What a question spells out, to be looked for as it is written: names, expressions, quoted phrases. It reads the
// question and never a file.

/** A text to look for as it is written. */
export interface Literal {
  readonly text: string;
  /** One name, so that whole words count before parts of words. */
  readonly isName: boolean;
}

const MIN_CHARS = 3;
const MAX_CHARS = 300;
const MAX_LITERALS = 12;
const QUOTED =
  /`([^`\n]+)`|"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|「([^」\n]+)」|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu;
/** `self.items._default().all()`, `std::mem::swap`, `node->next`: names joined by what only code joins them with. */
const EXPRESSION =
  /[A-Za-z_$][\w$]*(?:\([^()\s]*\)|\[[^[\]\s]*\])*(?:(?:\.|::|->)[A-Za-z_$][\w$]*(?:\([^()\s]*\)|\[[^[\]\s]*\])*)+/g;
const NAME = /^[\p{L}_$][\p{L}\p{N}\p{M}_$]*$/u;
/** A file's name, a domain and `e.g.` look like expressions. */
const NO_EXPRESSION =
  /^(?:e\.g|i\.e|www\..*|.*\.(?:com|org|io|net|[cm]?[jt]sx?|py|go|rs|java|rb|php|cs|md|rst|toml|ya?ml|json|cfg|ini|txt))$/i;

/** `Where is keys defined?`: a word that nothing else marks as a name. */
const ASKED_FOR =
  /\b(?:where(?: is|'s| are)|what (?:is|does)|definition of|who defines|find)(?: the)?(?: (?:class|function|method|type|struct|trait|interface|enum|constant|variable))? ([\p{L}_$][\p{L}\p{N}_$]*)(?= (?:defined|declared|implemented)\b|\s*\?*$)/giu;

/** The literals of a question, the longest first; `names` are the identifiers that it spells. */
export function literalsOf(text: string, names: readonly string[]): Literal[] {
  const found = new Map<string, Literal>();
  const add = (given: string): void => {
    const literal = given.trim();
    if (literal.length < MIN_CHARS || literal.length > MAX_CHARS || !/[\p{L}\p{N}]{2}/u.test(literal)) return;
    found.set(literal, { text: literal, isName: NAME.test(literal) });
  };
  // A quoted line may hold the same quotes again: then only its outer ones are right.
  for (const mark of ["`", '"', "'"]) {
    const [from, to] = [text.indexOf(mark), text.lastIndexOf(mark)];
    if (to > from + 1 && !text.slice(from, to).includes("\n") && text.split(mark).length > 3)
      add(text.slice(from + 1, to));
  }
  for (const [, ...groups] of text.matchAll(QUOTED)) add(groups.find((group) => group !== undefined) ?? "");
  for (const [expression] of text.matchAll(EXPRESSION)) if (!NO_EXPRESSION.test(expression)) add(expression);
  for (const [, name = ""] of text.matchAll(ASKED_FOR)) add(name);
  for (const name of names) add(name);
  return [...found.values()]
    .sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_LITERALS);
}
