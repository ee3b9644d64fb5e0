// The matches of a search by their places, for tests that hold a shown match list against the whole one.

/** `path:line` of each match, sorted. */
export function placesOf(found: readonly string[]): string[] {
  return found.map((line) => /^.+?:\d+(?=:)/.exec(line)?.[0] ?? line).sort();
}

/** Every `path:line` that a shown match list names, in its lines or in its list, sorted. */
export function placesIn(shown: string): string[] {
  return shown
    .split("\n")
    .flatMap((line) => {
      const [, path, numbers = ""] = /^(.+): (\d+(?:, \d+)*)$/.exec(line) ?? [];
      if (path !== undefined) return numbers.split(", ").map((number) => `${path}:${number}`);
      return /^(?!⟦|\[).+?:\d+(?=:)/.exec(line)?.[0] ?? [];
    })
    .sort();
}
