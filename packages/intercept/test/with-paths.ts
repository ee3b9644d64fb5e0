/** A shown list whose matches stand below the name of their file, with that name before each of them. */
export function withPaths(shown: string): string {
  let path = "";
  const lines = shown.split("\n").map((line) => {
    if (/^\S+\.ts$/.test(line)) path = line;
    return /^\d+:/.test(line) ? `${path}:${line}` : line;
  });
  return lines.join("\n");
}
