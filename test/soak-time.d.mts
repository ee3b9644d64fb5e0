/** Whether the long storms run (`npm run soak`). */
export const isSoak: boolean;
/** False when a storm has used this share of its time (JEEVES_SOAK_MS, from the start of its file on). */
export function hasTimeLeft(share?: number): boolean;
/** The numbers of rounds: all, or as many as this share of the storm's time allows. A soak prints how many there were. */
export function rounds(
  count: number,
  options?: { readonly share?: number; readonly what?: string },
): Generator<number, void, void>;
