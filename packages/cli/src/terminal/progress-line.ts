// Progress on one line of a terminal, which is overwritten each time. Elsewhere nothing is printed.

/** Rewrites one line; an empty text clears it. */
export function progressLine(stream: NodeJS.WriteStream): (text: string) => void {
  if (stream.isTTY !== true) return () => {};
  return (text) => void stream.write(`\r\u001b[K${text}`);
}
