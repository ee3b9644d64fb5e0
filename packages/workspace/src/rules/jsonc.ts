// JSON as some clients read it: with comments, and commas after the last item of a list.
import { type ParseError, parse } from "jsonc-parser";

const OPTIONS = { allowTrailingComma: true, allowEmptyContent: true } as const;

/** The value; `{}` for an empty text, undefined where the text is not valid. */
export function parseJsonc(content: string): unknown {
  const text = content.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(text.trim() || "{}");
  } catch {
    // Perhaps it has comments.
  }
  try {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, OPTIONS);
    return errors.length > 0 ? undefined : (value ?? {});
  } catch {
    return undefined; // nested too deeply
  }
}
