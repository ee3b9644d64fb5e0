// Ids of artefacts (RU-03): `PRD-001`, `E001`, `T042`, `S001`. People and models pad as they like; inside there is one
// spelling. An id has letters, digits and one dash only, so a parsed id cannot lead out of the haven as a path.
import { RudderError } from "./rudder-error.ts";

/** All kinds, in the order in which artefacts are listed. */
export const KINDS = ["prd", "epic", "task", "story"] as const;
/** The kinds of artefacts: a PRD has epics and stories, an epic has tasks. */
export type Kind = (typeof KINDS)[number];
/** To how many digits ids of each kind are padded: 3 makes `T042`. A longer number is never cut. */
export type Digits = Readonly<Record<Kind, number>>;

/** Three digits for every kind, as in `T042`; a project may set others (`readDigits`). */
export const DEFAULT_DIGITS: Digits = { prd: 3, epic: 3, task: 3, story: 3 };
const PREFIX: Readonly<Record<Kind, string>> = { prd: "PRD-", epic: "E", task: "T", story: "S" };
const EXAMPLE: Readonly<Record<Kind, string>> = { prd: "PRD-001", epic: "E001", task: "T042", story: "S001" };
/** The highest number of an id: nine digits. */
export const MAX_NUMBER = 999_999_999;
const FORM = /^(PRD-?|E|T|S)(\d{1,9})$/i;

interface ParsedId {
  readonly kind: Kind;
  readonly number: number;
}

/** undefined for what is no id. Zero is none: counters start at one. */
export function readId(text: string): ParsedId | undefined {
  const found = FORM.exec(text.trim());
  const number = Number(found?.[2] ?? 0);
  if (found === null || number === 0) return undefined;
  const letter = (found[1] ?? "").toUpperCase();
  const kind: Kind = letter === "E" ? "epic" : letter === "T" ? "task" : letter === "S" ? "story" : "prd";
  return { kind, number };
}

/** `{ kind: "task", number: 42 }` as `T042`. */
export function formatId(id: ParsedId, digits: Digits = DEFAULT_DIGITS): string {
  return `${PREFIX[id.kind]}${String(id.number).padStart(digits[id.kind], "0")}`;
}

/** The one spelling of an id: `t42` gives `T042`. Undefined for what is no id; zero is none. */
export function normaliseId(text: string, digits: Digits = DEFAULT_DIGITS): string | undefined {
  const id = readId(text);
  return id === undefined ? undefined : formatId(id, digits);
}

/** The kind of an id; undefined for what is no id. */
export function kindOf(id: string): Kind | undefined {
  return readId(id)?.kind;
}

/**
 * Parses an id of one of these kinds into its one spelling; `PRD-001/E003` names an epic. Throws `invalid_argument`
 * with an example for anything else.
 */
export function parseId(
  text: string,
  options: { readonly kinds: readonly Kind[]; readonly digits?: Digits | undefined },
): string {
  const last = text.includes("/") ? parentPart(text, options.kinds) : text;
  const id = readId(last);
  if (id === undefined || !options.kinds.includes(id.kind)) {
    const wanted = options.kinds.map((kind) => `${kind} id like ${EXAMPLE[kind]}`).join(" or ");
    throw new RudderError("invalid_argument", `${JSON.stringify(text)} is no ${wanted}`, {
      hint: `ids are listed by: ${options.kinds.map((kind) => (kind === "story" ? "rudder status" : `rudder ${kind} list`)).join(", ")}`,
    });
  }
  return formatId(id, options.digits);
}

/** `PRD-001/E003` names an epic with its PRD: the last part counts, and the first must be an id as well. */
function parentPart(text: string, kinds: readonly Kind[]): string {
  const [first = "", last = "", ...more] = text.split("/");
  const sound = more.length === 0 && readId(first)?.kind === "prd" && readId(last) !== undefined;
  return sound && !kinds.includes("prd") ? last : text;
}

/** Every id that stands as a word in a text (X-28 checks them all), in the one spelling. */
export function idsIn(text: string, digits: Digits = DEFAULT_DIGITS): string[] {
  const found = text.match(/(?<![\p{L}\p{N}])(?:PRD-?|E|T|S)\d{1,9}(?![\p{L}\p{N}])/giu) ?? [];
  return found.map((word) => normaliseId(word, digits)).filter((id) => id !== undefined);
}

const SHOWN_NAMES = 10;

/** The first ten of these ids or names, and how many more there are. */
export function fewOf(names: readonly string[]): string {
  const rest = names.length - SHOWN_NAMES;
  return `${names.slice(0, SHOWN_NAMES).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
