// Whether a package's build is complete: built.json, which the build writes last, names every file with its size.
import { readFile, stat } from "node:fs/promises";

/** `dist`: the package's directory of built files, with a slash at its end. */
export async function isBuilt(dist: URL): Promise<boolean> {
  try {
    const sizes: Readonly<Record<string, unknown>> = JSON.parse(await readFile(new URL("built.json", dist), "utf8"));
    const checked = Object.entries(sizes).map(
      async ([name, bytes]) => (await stat(new URL(encodeURI(name), dist))).size === bytes,
    );
    return (await Promise.all(checked)).every(Boolean);
  } catch {
    return false;
  }
}
