// Fields set in front matter of the plainest form without a YAML parser: every claim sets three. It gives a text only
// where `editFront` would write the same bytes (a property test compares the two).
import { editFront, type FrontEdit, toYamlScalar } from "./edit-front-matter.ts";
import { splitArtefact } from "./front-matter.ts";
import { readPlainFront } from "./plain-front.ts";

/** The same text as `editFront`, sooner where that is possible. */
export function quickEditFront(text: string, edits: readonly FrontEdit[], path: string): string {
  return setPlainFields(text, edits) ?? editFront(text, edits, path);
}

/** undefined where only a parser can tell. */
export function setPlainFields(text: string, edits: readonly FrontEdit[]): string | undefined {
  const { frontStart, frontEnd, bodyStart, eol } = splitArtefact(text);
  if (frontStart === 0 || frontEnd === bodyStart || eol !== "\n") return undefined;
  let front = text.slice(frontStart, frontEnd);
  const fields = readPlainFront(front);
  if (fields === undefined) return undefined;
  for (const edit of edits) {
    if (edit.kind !== "set" || typeof fields[edit.field] !== "string" || toYamlScalar(edit.value) !== edit.value) {
      return undefined;
    }
    const line = new RegExp(`^${edit.field}:(?: .*)?$`, "m");
    if (!line.test(front)) return undefined;
    front = front.replace(line, () => `${edit.field}: ${edit.value}`);
  }
  const after = readPlainFront(front);
  const isSet = edits.every((edit) => edit.kind === "set" && after?.[edit.field] === edit.value);
  return isSet ? text.slice(0, frontStart) + front + text.slice(frontEnd) : undefined;
}
