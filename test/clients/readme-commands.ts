// The README's own lines for a client: what they promise is what is run here.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where its relative paths start. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The arguments of each line that starts with this program, in order. */
export function readmeCommands(program: string): string[][] {
  const readme = readFileSync(`${ROOT}/README.md`, "utf8");
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.split("\n")).map((line) => line.replace(/\s+#\s.*$/, "").trim());
  const found = lines.filter((line) => line.startsWith(`${program} `)).map((line) => line.split(" ").slice(1));
  if (found.length === 0) throw new Error(`the README has no line for ${program}`);
  return found;
}
