// The token of a viewer that listens beyond loopback: taken out of the address, so that it is neither copied nor
// bookmarked by accident, and kept for this tab alone.

const NAME = "jeeves-token";

export function takeToken(): void {
  const found = /^#token=([\w-]+)/.exec(location.hash)?.[1];
  if (found === undefined) return;
  sessionStorage.setItem(NAME, found);
  location.replace("#/runs");
}

export function authHeaders(): Record<string, string> {
  const token = sessionStorage.getItem(NAME);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
