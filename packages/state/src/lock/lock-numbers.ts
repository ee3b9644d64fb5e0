// The names in a lock's directory: `<n>` is a holder, `<n>.free` marks a holder that has released it.

/** One file of a lock's directory. */
export interface Numbered {
  readonly name: string;
  readonly number: number;
  readonly free: boolean;
}

/** The numbered files among the names of a directory. */
export function toNumbered(names: readonly string[]): Numbered[] {
  const found: Numbered[] = [];
  for (const name of names) {
    const parts = /^(\d{1,15})(\.free)?$/.exec(name);
    if (parts !== null) found.push({ name, number: Number(parts[1]), free: parts[2] !== undefined });
  }
  return found;
}

/** The highest number, and whether it is released; 0 and released where there is none. */
export function highest(numbers: readonly Numbered[]): { readonly number: number; readonly free: boolean } {
  let top = { number: 0, free: true };
  for (const { number, free } of numbers) {
    if (number > top.number || (number === top.number && free)) top = { number, free };
  }
  return top;
}
