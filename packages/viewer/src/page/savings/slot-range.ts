// How far a chart of slots reaches: from the first to the last, both whole. The library makes days of a single point.

interface Drawn {
  /** First the starts of the slots; each is drawn around its start. */
  readonly data: readonly ArrayLike<number | null | undefined>[];
}

export function slotRange(slotS: number): (plot: Drawn) => [number, number] {
  return ({ data: [times = []] }) => [(times[0] ?? 0) - slotS / 2, (times[times.length - 1] ?? 0) + slotS / 2];
}
