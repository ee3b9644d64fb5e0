// Figures and times as people read them. Pure; the same width for the same kind of thing, so that columns stand still.
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

export function amount(value: number, unit: Sizes["unit"]): string {
  const size = compact(value);
  if (unit === "tokens") return `${size} tok`;
  return /[kMG]$/.test(size) ? `${size.slice(0, -1)} ${size.slice(-1)}B` : `${size} B`;
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString("en-US").replace("-", "−");
}

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

export function dollars(value: number): string {
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  // A little is shown as a little: −$0.00 reads as a mistake.
  const digits = size >= 100 ? 0 : size >= 0.01 || size === 0 ? 2 : 4;
  return `${sign}$${size.toFixed(digits)}`;
}

export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What is left of a lease: `12:04`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function clock(ts: string): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString("en-GB");
}

/** With its day, where that is not today. */
export function moment(ts: string, nowMs: number): string {
  const isToday = new Date(ts).toDateString() === new Date(nowMs).toDateString();
  return isToday || clock(ts) === "" ? clock(ts) : `${day(ts)}, ${clock(ts)}`;
}

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

export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

export function plural(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
}
