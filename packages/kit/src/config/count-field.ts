// Whole numbers in a variable or a flag.
import * as z from "zod";

/** A schema of whole numbers. Decimal digits only: `Number("")` is 0 and `Number("0x10")` is 16. */
export function countField({
  min = 1,
  max = Number.MAX_SAFE_INTEGER,
}: {
  readonly min?: number;
  readonly max?: number;
} = {}) {
  return z.string().trim().regex(/^\d+$/).pipe(z.coerce.number<string>().int().min(min).max(max));
}

/** A TCP port: 0 (any free one) to 65535. */
export const portField = countField({ min: 0, max: 65_535 });
