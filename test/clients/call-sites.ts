// A search of many matches: calls of one function in many files.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { InterceptProject } from "./intercept-project.ts";

/** A list of a hundred lines is worth a cut where few of them speak of what is asked. */
const TOPIC = "where an unknown option is reported, and a similar option suggested";
const WORDS = "the path of a row as the registry of this module has it, without links. ".repeat(4);

/**
 * 168 calls in 12 files: little enough for Codex to show whole, and more than is passed on before a cut. Three of them
 * have words of "list every call site" in them, and would be all that a ranking keeps. Returns them as grep prints them.
 */
export async function writeCallSites(project: InterceptProject): Promise<string[]> {
  await mkdir(join(project.root, "lib"));
  const found: string[] = [];
  for (let file = 0; file < 12; file++) {
    const path = `lib/m${file}.ts`;
    const calls = Array.from({ length: 14 }, (_, call) => {
      const given = call === 7 && file % 4 === 3 ? "list, callSite" : `rows[${call}].at, o`;
      return `const p${call} = normalizePath(${given});`;
    });
    for (const [call, text] of calls.entries()) found.push(`${path}:${call * 2 + 2}:${text}`);
    await writeFile(join(project.root, path), `\n${calls.join("\n\n")}\n`);
  }
  return found;
}

/** The same calls on long lines, in every file one that speaks of the topic. Returns their places. */
export async function writeLongCallSites(project: InterceptProject): Promise<Set<string>> {
  const places = new Set<string>();
  await mkdir(join(project.root, "lib"));
  for (let file = 0; file < 12; file++) {
    const calls = Array.from(
      { length: 14 },
      (_, call) => `const p${call} = normalizePath(rows[${call}].at, o); // ${call === 7 ? TOPIC : WORDS}`,
    );
    for (const call of calls.keys()) places.add(`lib/m${file}.ts:${call * 2 + 2}`);
    await writeFile(join(project.root, "lib", `m${file}.ts`), `\n${calls.join("\n\n")}\n`);
  }
  return places;
}
