// What is being done, on one line of a terminal that is written over again and again. Nothing where no person looks.

/** Rewrites one line; an empty text clears it. */
export function progressLine(stream: NodeJS.WriteStream): (text: string) => void {
  if (stream.isTTY !== true) return () => {};
  return (text) => void stream.write(`\r\u001b[K${text}`);
}
