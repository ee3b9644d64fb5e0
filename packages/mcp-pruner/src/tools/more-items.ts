// What a client's model must know beyond the text itself: items of their own, so that the text stays what it was asked
// for. A cut that is named in the structured result alone would look like the end to most clients.

export function moreItems(...words: readonly (string | undefined)[]): { readonly more?: readonly string[] } {
  const more = words.filter((each) => each !== undefined);
  return more.length === 0 ? {} : { more };
}
