// Versions of clients against those that were tried.
import type { ClientTraits } from "@jeeves/base";

/** "older" and "newer": than every version that was tried. */
type VersionAge = "tried" | "older" | "newer" | "unknown";

/** How a client's version stands to those that its row in the table names. */
export function ageOf(
  version: string | undefined,
  { testedVersion: oldest, newestVersion: newest }: Pick<ClientTraits, "testedVersion" | "newestVersion">,
): VersionAge {
  if (version === undefined || oldest === undefined) return "unknown";
  if (isOlder(version, oldest)) return "older";
  return newest !== undefined && isOlder(newest, version) ? "newer" : "tried";
}

/** Whether one version comes before another, as far as the shorter one of them goes. */
export function isOlder(version: string, than: string): boolean {
  const [a = [], b = []] = [version, than].map((text) =>
    text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let i = 0; i < Math.min(3, a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
