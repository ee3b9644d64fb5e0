// Which addresses never leave the machine, and how an address is written in a URL.

/** What a socket may be bound to without a token. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

export function toUrlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** The name in a Host header or in an Origin, without its port; undefined for what is neither. */
export function hostNameOf(value: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return name === "" ? undefined : name;
}
