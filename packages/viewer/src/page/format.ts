// Figures and times as people read them. Values of one kind have about the same width, so that columns do not jump.
import type { Sizes } from "../wire.ts";

const UNITS = ["", "k", "M", "G"] as const;

/** 1,234 → 1.2k: three digits at most, a sign where it is negative. */
export function compact(value: number): string {
  const sign = value < 0 ? "−" : "";
  let size = Math.abs(value);
  let unit = 0;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  const digits = unit === 0 || size >= 99.5 ? 0 : 1;
  return `${sign}${size.toFixed(digits)}${UNITS[unit]}`;
}

/** A size with its unit: `1.2 kB`, `340 tok`. A kB is 1,000 bytes. */
export function amount(value: number, unit: Sizes["unit"]): string {
  const size = compact(value);
  if (unit === "tokens") return `${size} tok`;
  return /[kMG]$/.test(size) ? `${size.slice(0, -1)} ${size.slice(-1)}B` : `${size} B`;
}

/** A whole number with its thousands separated: `12,345`. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString("en-US").replace("-", "−");
}

/** A whole percentage: `34%`, `<1%` for a small part, `–` where the whole is 0. */
export function share(part: number, whole: number): string {
  if (whole <= 0) return "–";
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 1 ? "<1%" : `${Math.round(percent)}%`;
}

/** A share with one decimal, which may be a loss: `7.1 %`. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return "–";
  return `${((part / whole) * 100).toFixed(1).replace("-", "−")} %`;
}

/** An amount in US dollars, with four decimals below a cent. */
export function dollars(value: number): string {
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  // Small amounts get more digits: −$0.00 looks like a mistake.
  const digits = size >= 100 ? 0 : size >= 0.01 || size === 0 ? 2 : 4;
  return `${sign}$${size.toFixed(digits)}`;
}

/** `850 ms`, `2.4 s`, `3 min 12 s`, `1 h 4 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The rest of a lease in minutes and seconds, `12:04`; `0:00` when it is over. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The local time of an ISO timestamp, `14:05:09`; empty where it is not valid. */
export function clock(ts: string): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString("en-GB");
}

/** The local time, after its date where that is not today. */
export function moment(ts: string, nowMs: number): string {
  const isToday = new Date(ts).toDateString() === new Date(nowMs).toDateString();
  return isToday || clock(ts) === "" ? clock(ts) : `${day(ts)}, ${clock(ts)}`;
}

/** `just now`, `5 min ago`, `3 h ago`; the date after a day, empty where the timestamp is not valid. */
export function ago(ts: string, nowMs: number): string {
  const ms = nowMs - Date.parse(ts);
  if (!Number.isFinite(ms)) return "";
  if (ms < 45_000) return "just now";
  if (ms < 3_600_000) return `${Math.max(1, Math.round(ms / 60_000))} min ago`;
  if (ms < 86_400_000) return `${Math.round(ms / 3_600_000)} h ago`;
  return day(ts);
}

function day(ts: string): string {
  return new Date(ts).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}

/** The last part of a path, with slashes or backslashes. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

/** A count with its noun: `1 call`, `1,200 calls`. Only for nouns that take an s. */
export function plural(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
}
