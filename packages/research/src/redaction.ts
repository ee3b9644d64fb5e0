// Removes secrets from every answer and memo. All of them pass one gate as their last step: every string is
// redacted before it is serialised; references and paths keep their names (C-40). Texts of files are also redacted when
// they are read, so that a model and the ranking never see a secret. The rules load with the first use.

import { isRecord } from "@jeeves/base";

/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

/** Gives a text without its secrets; line ends stay. */
export type Redact = (text: string) => Promise<string>;

/** Loads the rules with the first text. */
export function createRedact(): Redact {
  let loading: Promise<(text: string) => string> | undefined;
  return async (text) => {
    loading ??= import("@jeeves/workspace/redact").then(({ createRedactor }) => createRedactor());
    return (await loading)(text);
  };
}

/** Redacts every string of a value. In references and paths only what has the form of a secret is redacted. */
type RedactionGate = <T>(value: T) => Promise<T>;

/** Keys whose strings are places, which must stay readable. */
const PLACES = new Set(["reference", "references", "now", "path", "roots", "rootsSearched", "categories"]);

/** A gate; it loads the rules with the first value. */
export function createRedactionGate(): RedactionGate {
  let loading: Promise<{ readonly text: Rewrite; readonly place: Rewrite }> | undefined;
  return async (value) => {
    loading ??= import("@jeeves/workspace/redact").then(async ({ createRedactor, createReferenceRedactor }) => ({
      text: await createRedactor(),
      place: await createReferenceRedactor(),
    }));
    const { text, place } = await loading;
    const known = new Map<string, string>();
    const once = (rewrite: Rewrite, key: string) => (given: string) => {
      if (given.length < MIN_SECRET_CHARS) return given;
      const before = known.get(key + given);
      const after = before ?? rewrite(given);
      known.set(key + given, after);
      return after;
    };
    return through(value, once(text, "t"), once(place, "p"));
  };
}

type Rewrite = (text: string) => string;
const MIN_SECRET_CHARS = 6;

function through<T>(value: T, text: Rewrite, place: Rewrite): T;
function through(value: unknown, text: Rewrite, place: Rewrite): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((each) => through(each, text, place));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, through(each, PLACES.has(key) ? place : text, place)]),
  );
}
