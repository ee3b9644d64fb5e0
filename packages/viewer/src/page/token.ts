// The viewer's token: taken out of the address, so that it is not copied or bookmarked by accident, and stored for all
// tabs of this origin. A new viewer process may have another token; then the page shows how to get it.

const NAME = "jeeves-token";

/** Moves a token from the address into the store and goes to the home view. False where the address has none. */
export function takeToken(): boolean {
  const found = tokenIn(location.hash);
  if (found === undefined) return false;
  localStorage.setItem(NAME, found);
  location.replace("#/home");
  return true;
}

/** The token in a fragment as start-viewer.ts writes it: URI-encoded, because it may have any visible character. */
export function tokenIn(hash: string): string | undefined {
  const found = /^#token=(.+)/.exec(hash)?.[1];
  try {
    return found === undefined ? undefined : decodeURIComponent(found);
  } catch {
    return found;
  }
}

/** The Authorization header, or none where no token is stored. */
export function authHeaders(): Record<string, string> {
  const token = localStorage.getItem(NAME);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
