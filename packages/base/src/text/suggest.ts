// What was probably meant by a mistyped word.

const MAX_DISTANCE = 3;

/** The word that was probably meant: one that begins with what was typed or that it begins with, else the nearest. */
export function suggest(typed: string, words: readonly string[]): string | undefined {
  const bare = (word: string) => word.toLowerCase().replace(/^-+/, "");
  const [wanted, known] = [bare(typed), words.filter((word) => bare(word).length > 1)];
  if (wanted.length > 1) {
    const longer = known.filter((word) => bare(word).startsWith(wanted));
    if (longer.length === 1) return longer[0];
    const part = known.find((word) => wanted.startsWith(bare(word)) || bare(word).split("-").includes(wanted));
    if (part !== undefined) return part;
  }
  const near = known
    // Of a name such as claude-code, its first part alone may have been typed.
    .flatMap((word) => [bare(word), ...bare(word).split("-", 1)].map((form) => ({ word, form })))
    .map(({ word, form }) => ({ word, form, distance: distanceOf(wanted, form) }))
    .filter(({ form, distance }) => distance <= Math.min(MAX_DISTANCE, Math.max(form.length, wanted.length) * 0.5));
  return near.sort((a, b) => a.distance - b.distance)[0]?.word;
}

/** How many letters must be added, taken out, changed or swapped. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, isSwapped ? at(i - 2, j - 2) + 1 : changed));
    }
  }
  return at(a.length, b.length);
}
