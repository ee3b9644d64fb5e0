// Where a report quotes the source that it points to, the quote identifies the line, and its number may differ from run to
// run. Without a quote only the number distinguishes one assertion of a test from the next.

/** A line of source with its number, as vitest, jest, rustc and gcc print it. */
const NUMBERED = /^(\s*>?\s*)(\d+)( ?[|│].*)$/;
/** Between such lines: pointers to the line above, and marks of left-out lines. */
const UNNUMBERED = /^\s*[|│]|^\.\.\.$/;
const MARKED = /^\s*>\s*\d+ ?[|│]/;
const CARET = /^\s*[|│] [\s_|-]*\^/;
/** Places as tools print them beside a quote; the line's number is the second group. */
const PLACES: readonly RegExp[] = [
  /^(\s*❯ (?:.* )?[^\s:]+:)(\d+)(:\d+)$/,
  /^(\s*--> [^\s:]+:)(\d+)(:\d+)$/,
  /^(\s+at .*?:)(\d+)(:\d+\)?)$/,
];
/** A compiler's, before its finding. */
const FIRST_PLACES: readonly RegExp[] = [/^([^\s:()]+:)(\d+)(:(?:\d+:)? .*)$/];
const PYTEST = /^_{3,} .+ _{3,}$/;
const PYTEST_POINTED = /^> {3}/;
const PYTEST_PLACE = /^(\S+\.py:)(\d+)(:(?: .*)?)$/;
const PYTEST_PRINTED = /^-+ Captured .* -+$/;

interface Quote {
  readonly from: number;
  readonly to: number;
  readonly pointed: number;
}

/** The lines of a report, without colours, less the numbers of the places whose source it quotes. */
export function withoutQuotedPlaces(lines: readonly string[]): string[] {
  if (PYTEST.test(lines[0] ?? "")) return withoutPytestPlaces(lines);
  const formsOf = (index: number) => (index === 0 ? FIRST_PLACES : PLACES);
  const places = lines.map((line, index) => lineOfPlace(line, formsOf(index)));
  const quotes = quotesIn(lines).filter(({ pointed }) => places.includes(pointed));
  if (quotes.length === 0) return [...lines];
  const pointed = new Set(quotes.map((quote) => quote.pointed));
  const changed = lines.map((line, index) => {
    const number = places[index];
    return number !== undefined && pointed.has(number) ? withoutNumber(line, formsOf(index)) : line;
  });
  for (const { from, to, pointed: origin } of quotes)
    for (let i = from; i <= to; i++)
      changed[i] = (lines[i] ?? "").replace(
        NUMBERED,
        (_, before: string, number: string, text: string) =>
          `${before.includes(">") ? ">" : ""}#${Number(number) - origin}${text}`,
      );
  return changed;
}

/** pytest quotes a function down to the line that failed, and names the place below it. */
function withoutPytestPlaces(lines: readonly string[]): string[] {
  const printed = lines.findIndex((line) => PYTEST_PRINTED.test(line));
  let isQuoted = false;
  return lines.map((line, index) => {
    if (printed >= 0 && index > printed) return line;
    if (PYTEST_POINTED.test(line)) isQuoted = true;
    if (!isQuoted || !PYTEST_PLACE.test(line)) return line;
    isQuoted = false;
    return withoutNumber(line, [PYTEST_PLACE]);
  });
}

/** Lines of source one below the other with rising numbers, one of which is pointed to. */
function quotesIn(lines: readonly string[]): Quote[] {
  const quotes: Quote[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!NUMBERED.test(lines[i] ?? "")) continue;
    const from = i;
    let [number, isRising] = [-1, true];
    let pointed: number | undefined;
    for (; i < lines.length; i++) {
      const line = lines[i] ?? "";
      const next = NUMBERED.exec(line)?.[2];
      if (next === undefined && !UNNUMBERED.test(line)) break;
      if (next !== undefined) {
        isRising &&= Number(next) > number;
        number = Number(next);
      }
      if (MARKED.test(line) || CARET.test(line)) pointed ??= number;
    }
    if (pointed !== undefined && isRising) quotes.push({ from, to: i - 1, pointed });
  }
  return quotes;
}

function lineOfPlace(line: string, forms: readonly RegExp[]): number | undefined {
  for (const form of forms) {
    const [, , number] = form.exec(line) ?? [];
    if (number !== undefined) return Number(number);
  }
  return undefined;
}

function withoutNumber(line: string, forms: readonly RegExp[]): string {
  const form = forms.find((one) => one.test(line));
  return form === undefined ? line : line.replace(form, "$1#$3");
}
