// Secrets out of everything that leaves. There is one gate, and it is the last thing that touches an answer or a
// memo: every string in it is redacted before it is serialised; references and paths keep their names (C-40). What is
// read is redacted before too, so that a model and the ranking never see a secret. The rules load with the first use.

import { isRecord } from "@jeeves/base";

/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

export type Redact = (text: string) => Promise<string>;

export function createRedact(): Redact {
  let loading: Promise<(text: string) => string> | undefined;
  return async (text) => {
    loading ??= import("@jeeves/workspace/redact").then(({ createRedactor }) => createRedactor());
    return (await loading)(text);
  };
}

/** Redacts every string of a value; what is named as a reference or a path only loses what is a secret by its form. */
type RedactionGate = <T>(value: T) => Promise<T>;

/** Keys whose strings are places: they must be found again. */
const PLACES = new Set(["reference", "references", "now", "path", "roots", "rootsSearched", "categories"]);

/** The gate that everything passes on its way out. */
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
