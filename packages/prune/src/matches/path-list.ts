// A list of paths by directory: every name is there, and each directory once. Pure.

/** A row for each directory, in the order in which they come first: `src/a/: x.ts, y.ts`, or `src/a/ (17)`. */
export function directoryRows(paths: readonly string[], { isNamed }: { readonly isNamed: boolean }): string[] {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const cut = path.lastIndexOf("/") + 1;
    const dir = path.slice(0, cut) || "./";
    names.set(dir, [...(names.get(dir) ?? []), quoted(path.slice(cut))]);
  }
  return [...names].map(([dir, own]) => (isNamed ? `${dir}: ${own.join(", ")}` : `${dir} (${own.length})`));
}

/** A name, in quotes where it would read as two. */
function quoted(name: string): string {
  return name.includes(",") ? JSON.stringify(name) : name;
}
