// A path as figures about files show it. Of a long one the beginning goes: files are known by their ends.
import { homeOf, oneLine } from "@jeeves/base";

/** The path on one line of at most `maxChars`, with ~ for the home directory. */
export function shownPath(path: string, maxChars: number): string {
  const home = homeOf(process.env);
  const short = home !== "/" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
  const chars = [...oneLine(short.slice(-4 * maxChars))];
  return chars.length <= maxChars ? chars.join("") : `…${chars.slice(1 - maxChars).join("")}`;
}
