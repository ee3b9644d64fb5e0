// Globs that must not be read (`*`, `?`, `**`). A pattern without a slash holds at any depth, one
// with a slash from the root, by its relative or its absolute name; all hold for everything below
// what they name. Refusing too much is the safe side.

import type { Root } from "./root.ts";
import { WorkspaceError } from "./workspace-error.ts";

export type DenyTest = (relativePath: string) => boolean;

export function createDenyTest(root: Root, globs: readonly string[] | undefined): DenyTest {
  const rules = (globs ?? []).map((glob) => parseGlob(root, glob)).filter((rule) => rule !== undefined);
  if (rules.length === 0) return () => false;
  // The root's own name, ".", is no hidden file: `.*` must not refuse every search.
  return (relativePath) => relativePath !== "." && rules.some((rule) => rule.test(relativePath));
}

export function denied(shownPath: string): WorkspaceError {
  return new WorkspaceError("denied", `${shownPath} is on the deny list`, {
    hint: "this file may not be read here; work without it",
  });
}

function parseGlob(root: Root, glob: string): RegExp | undefined {
  const words = withoutRoot(root, glob.trim()).replace(/^\.\//, "").replace(/\/+$/, "");
  if (words === "" || words === "/") return undefined;
  const anchored = words.includes("/");
  const source = toRegExpSource(words.replace(/^\/+/, ""));
  const flags = process.platform === "linux" ? "su" : "siu"; // where file systems ignore case, so do we
  return new RegExp(`${anchored ? "^" : "(?:^|/)"}${source}(?:/|$)`, flags);
}

function withoutRoot(root: Root, glob: string): string {
  const dir = [root.path, root.alias].find((path) => path !== undefined && glob.startsWith(`${path}/`));
  return dir === undefined ? glob : glob.slice(dir.length);
}

function toRegExpSource(glob: string): string {
  return glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:[^/]+/)*";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      return part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    })
    .join("");
}
