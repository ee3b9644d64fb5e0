// `--since`: how far back the statistics go.

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** What holds without the option. */
export const DEFAULT_SINCE = "30d";
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The beginning in milliseconds since 1970, 0 for everything; undefined for any other text. */
export function parseSince(text: string, nowMs: number): number | undefined {
  if (text === "all") return 0;
  const [, count, unit] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return Math.max(0, nowMs - Number(count) * (UNIT_MS[unit ?? "d"] ?? 0));
  if (!DAY.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // The 31st of November is a date of December to the parser.
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text ? undefined : ms;
}
