// Which addresses never leave the machine, and how an address is written in a URL.

/** Whether a host is loopback, where a socket may be bound without a token. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** An address as the host of a URL: IPv6 in brackets. */
export function toUrlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

const HOST = /^(?:\[([0-9a-f:.]+)\]|([^\s:/?#@[\]\\]+))(?::\d{0,5})?$/i;

/** The port in a Host header, 80 where it names none; undefined for what is no such header. */
export function hostPortOf(value: string): number | undefined {
  const url = `http://${value}`;
  return URL.canParse(url) ? Number(new URL(url).port || "80") : undefined;
}

/** The name in a Host header or in an Origin, without its port; undefined for what is neither. */
export function hostNameOf(value: string): string | undefined {
  const authority = value.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const [, address, name] = HOST.exec(authority) ?? [];
  // A port past 65535 or an address such as 127.999.0.1 looks like one.
  if (!URL.canParse(`http://${authority}`)) return undefined;
  return (address ?? name)?.toLowerCase();
}
