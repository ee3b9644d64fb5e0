// The viewer's token: taken out of the address, so that it is neither copied nor bookmarked by accident, and kept for all
// tabs of this viewer. It ends with the viewer's process; then the page shows where to get the next one.

const NAME = "jeeves-token";

/** Whether the address had one. */
export function takeToken(): boolean {
  const found = tokenIn(location.hash);
  if (found === undefined) return false;
  localStorage.setItem(NAME, found);
  location.replace("#/runs");
  return true;
}

/** As the address has it (start-viewer.ts): a token of the user's own may hold any visible character. */
export function tokenIn(hash: string): string | undefined {
  const found = /^#token=(.+)/.exec(hash)?.[1];
  try {
    return found === undefined ? undefined : decodeURIComponent(found);
  } catch {
    return found;
  }
}

export function authHeaders(): Record<string, string> {
  const token = localStorage.getItem(NAME);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
