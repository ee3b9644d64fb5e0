// Globs that must not be read (`*`, `?`, `**`). A pattern without a slash holds at any depth, one
// with a slash from the root; both hold for everything below what they name. Refusing too much is
// the safe side.

import { WorkspaceError } from "./workspace-error.ts";

export type DenyTest = (relativePath: string) => boolean;

export function createDenyTest(globs: readonly string[] | undefined): DenyTest {
  const rules = (globs ?? []).map(parseGlob).filter((rule) => rule !== undefined);
  if (rules.length === 0) return () => false;
  return (relativePath) => rules.some((rule) => rule.test(relativePath));
}

export function denied(shownPath: string): WorkspaceError {
  return new WorkspaceError("denied", `${shownPath} is on the deny list`, {
    hint: "this file may not be read here; work without it",
  });
}

function parseGlob(glob: string): RegExp | undefined {
  const words = glob.trim().replace(/^\.\//, "").replace(/\/+$/, "");
  if (words === "" || words === "/") return undefined;
  const anchored = words.includes("/");
  const source = toRegExpSource(words.replace(/^\/+/, ""));
  const flags = process.platform === "linux" ? "su" : "siu"; // where file systems ignore case, so do we
  return new RegExp(`${anchored ? "^" : "(?:^|/)"}${source}(?:/|$)`, flags);
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
