// Names of files as they are shown: a name may hold line ends, terminal escapes and marks that turn the text around.
import { UNSAFE } from "./one-line.ts";

/** The name as it is, or as a JSON string with escapes where it holds characters that are not safe to print. */
export function shownName(name: string): string {
  if (name.search(UNSAFE) < 0) return name;
  return JSON.stringify(name).replace(UNSAFE, (unsafe) =>
    Array.from({ length: unsafe.length }, (_, index) => escapeOf(unsafe.charCodeAt(index))).join(""),
  );
}

function escapeOf(code: number): string {
  return `\\u${code.toString(16).padStart(4, "0")}`;
}
