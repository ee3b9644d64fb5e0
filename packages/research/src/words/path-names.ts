// Whether a path has a name that was asked for: that of a directory, of the file without its ending, or a word of
// either. `user-service.ts` is a `UserService`, as `user_service` is one in code.
import { scanWords, wholeOf } from "@jeeves/prune/text";

/** Compares without regard to case, underscores or hyphens. */
export function isNameIn(path: string, name: string): boolean {
  const whole = wholeOf(name.normalize("NFKC"));
  const plain = path.normalize("NFKC").replace(/(?<=[^/])\.[^./]+$/, "");
  let isFound = plain.split(/[/.]/).some((part) => wholeOf(part.replace(/[-\s]+/g, "")) === whole);
  scanWords(plain, 0, plain.length, (word) => {
    isFound ||= wholeOf(word) === whole;
  });
  return isFound;
}
