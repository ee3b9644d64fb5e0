// What the model must know beyond the text goes into items of its own, so that the text stays as it was read. Most
// clients show only the items: a cut that the structured result alone names would look like the end of the text.

/** These words as further items of a result; the undefined ones are left out. */
export function moreItems(...words: readonly (string | undefined)[]): { readonly more?: readonly string[] } {
  const more = words.filter((each) => each !== undefined);
  return more.length === 0 ? {} : { more };
}
