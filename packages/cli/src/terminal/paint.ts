// Colours for people: only on a terminal, and not where NO_COLOR is set.
const CODES = { dim: 2, bold: 1, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Gives a text a style, or returns it as it is where colours are off. */
export type Paint = (style: keyof typeof CODES, text: string) => string;

/** A painter for one stream. */
export function createPaint(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Paint {
  const isOn = stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return (style, text) => (isOn ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
}
