// The names in a lock's directory: `<n>` is a holder, `<n>.free` a holder that has let go.

export interface Numbered {
  readonly name: string;
  readonly number: number;
  readonly free: boolean;
}

export function toNumbered(names: readonly string[]): Numbered[] {
  const found: Numbered[] = [];
  for (const name of names) {
    const parts = /^(\d{1,15})(\.free)?$/.exec(name);
    if (parts !== null) found.push({ name, number: Number(parts[1]), free: parts[2] !== undefined });
  }
  return found;
}

export function highest(numbers: readonly Numbered[]): { readonly number: number; readonly free: boolean } {
  let top = { number: 0, free: true };
  for (const { number, free } of numbers) {
    if (number > top.number || (number === top.number && free)) top = { number, free };
  }
  return top;
}
