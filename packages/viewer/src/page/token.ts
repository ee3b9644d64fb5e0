// The token of a viewer that listens beyond loopback: taken out of the address, so that it is neither copied nor
// bookmarked by accident, and kept for this tab alone.

const NAME = "jeeves-token";

export function takeToken(): void {
  const found = tokenIn(location.hash);
  if (found === undefined) return;
  sessionStorage.setItem(NAME, found);
  location.replace("#/runs");
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
  const token = sessionStorage.getItem(NAME);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
