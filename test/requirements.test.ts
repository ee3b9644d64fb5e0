// docs/requirements.md explains every requirement id that the project names, and no other.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./source-graph.ts";

const PAGE = "docs/requirements.md";
/** A requirement: its part, and two digits. `PRD-001`, `T-1` and licence names are none. */
const ID = /(?<![\w-])(?:RU|[CDJKRX])-\d{2}(?![\w-])/g;
/** What npm, the build and the tests write. */
const MADE = new Set(["node_modules", "dist", "out", "coverage"]);
const TEXT = /\.(?:ts|tsx|mts|mjs|js|md|sh|pl|css|html|json|yaml|yml|toml|snap)$|\/[\w-]+$/;

/** The project's text files below a directory, by path from the root; no lock files, nothing hidden, nothing made. */
function textFiles(dir: string): string[] {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || MADE.has(entry.name) || entry.name === "package-lock.json") return [];
    const path = dir === "" ? entry.name : `${dir}/${entry.name}`;
    if (entry.isDirectory()) return textFiles(path);
    return entry.isFile() && TEXT.test(`/${path}`) ? [path] : [];
  });
}

const idsIn = (file: string): string[] => readFileSync(join(root, file), "utf8").match(ID) ?? [];

it("every requirement id that the project names has one line in docs/requirements.md, and no line is left over", () => {
  const page = readFileSync(join(root, PAGE), "utf8");
  const explained = [...page.matchAll(/^- \*\*([A-Z]{1,2}-\d{2})\*\* \S/gm)].map(([, id = ""]) => id);
  const named = new Map<string, string>();
  for (const file of textFiles("")) {
    if (file === PAGE) continue;
    for (const id of idsIn(file)) if (!named.has(id)) named.set(id, file);
  }

  expect(named.size).toBeGreaterThan(300);
  expect([...named].filter(([id]) => !explained.includes(id)).map(([id, file]) => `${id} (${file})`)).toEqual([]);
  expect(explained.filter((id) => !named.has(id))).toEqual([]);
  expect(explained.filter((id, n) => explained.indexOf(id) !== n)).toEqual([]);
  // What a line points to is explained as well.
  expect(idsIn(PAGE).filter((id) => !explained.includes(id))).toEqual([]);
});
