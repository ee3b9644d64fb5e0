// The x range of a chart of time slots, so that the first and the last are whole. For a single point, uPlot's own range
// would be days.

interface Drawn {
  /** `data[0]` has the starts of the slots; each slot is drawn centred on its start. */
  readonly data: readonly ArrayLike<number | null | undefined>[];
}

/** The x range for uPlot, in seconds: half a slot (`slotS` seconds) before the first start and after the last one. */
export function slotRange(slotS: number): (plot: Drawn) => [number, number] {
  return ({ data: [times = []] }) => [(times[0] ?? 0) - slotS / 2, (times[times.length - 1] ?? 0) + slotS / 2];
}
