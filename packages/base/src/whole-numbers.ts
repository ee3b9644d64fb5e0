// Whole numbers from people. Decimal digits only: `Number("")` is 0 and `Number("0x10")` is 16.

/** The whole number that the text spells, if it is within the limits; surrounding white space is not accepted. */
export function parseCount(
  text: string,
  { min = 1, max = 999_999_999 }: { readonly min?: number; readonly max?: number } = {},
): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const count = Number(text);
  return count >= min && count <= max ? count : undefined;
}

/** A TCP port, 0 (any free one) to 65535. */
export function parsePort(text: string): number | undefined {
  return parseCount(text, { min: 0, max: 65_535 });
}
