// A TCP port in a variable or a flag.
import * as z from "zod";

/** 0 (any free one) to 65535, in decimal digits only: `Number("")` is 0 and `Number("0x10")` is 16. */
export const portField = z.string().trim().regex(/^\d+$/).pipe(z.coerce.number<string>().int().min(0).max(65_535));
