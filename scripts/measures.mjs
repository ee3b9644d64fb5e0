// `npm run measures`: how the code reads, in figures: doc comments, words of a private dialect, folders, cycles, exports that
// no other file uses. It reads sources as text, by the form that the formatter gives them. `--list` names what is behind the
// figures, `--json` is one object.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { findCycles } from "./cycles.mjs";
import { root } from "./setup.mjs";

const MAX_FILES = 15;
const DIALECT = /\b(?:whoever|nobody|somebody|told|says)\b/gi;
const EXPORTED =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm;
const REEXPORTED = /^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm;
// Only after a line start or a space: a glob in a string that has the same characters is no comment.
const COMMENT = /(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*)/gm;

/** The files below a folder that have one of these ends. */
function filesBelow(dir, ends) {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory())
      return ["node_modules", "dist", ".cache"].includes(entry.name) ? [] : filesBelow(path, ends);
    return ends.some((end) => entry.name.endsWith(end)) ? [path] : [];
  });
}

/** The exported declarations of a source, and whether each has a doc comment. */
export function exportsIn(text) {
  return [...text.matchAll(EXPORTED)].map((match) => {
    const above = text.slice(0, match.index).trimEnd();
    return { name: match[1], isDocumented: above.endsWith("*/") && /\/\*\*(?:(?!\*\/)[\s\S])*\*\/$/.test(above) };
  });
}

/** How many words the comments of a source have, and which of them are of the dialect. */
export function commentWords(text) {
  const comments = (text.match(COMMENT) ?? []).join("\n");
  return { words: (comments.match(/[A-Za-z][A-Za-z'-]*/g) ?? []).length, dialect: comments.match(DIALECT) ?? [] };
}

/** What a barrel re-exports: { name, file } of each, with the file that declares it. */
function entriesOf(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const own = exportsIn(text).map((one) => ({ ...one, file }));
  const others = [...text.matchAll(REEXPORTED)].flatMap(([, names, from]) => {
    if (!from.startsWith(".")) return [];
    const target = join(dirname(file), from);
    if (!existsSync(target)) return [];
    const declared = new Map(entriesOf(target, seen).map((one) => [one.name, one]));
    return names.split(",").flatMap((part) => {
      const name = part
        .trim()
        .replace(/^type /, "")
        .split(" as ")[0];
      // What comes from another package is documented there.
      return declared.has(name) ? [declared.get(name)] : [];
    });
  });
  return [...own, ...others];
}

function measurePackage(name, wordsElsewhere) {
  const dir = join(root, "packages", name);
  const files = filesBelow(join(dir, "src"), [".ts", ".tsx"]).filter((file) => !file.endsWith(".d.ts"));
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const manifest = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
  const mains = Object.values(manifest.exports ?? {}).filter(
    (path) => typeof path === "string" && path.endsWith(".ts"),
  );
  const entries = new Map(
    mains.flatMap((path) => entriesOf(join(dir, path))).map((one) => [`${one.file} ${one.name}`, one]),
  );
  const all = [...texts].flatMap(([file, text]) => exportsIn(text).map((one) => ({ ...one, file })));
  const comments = [...texts].map(([file, text]) => ({ file, ...commentWords(text) }));
  const words = comments.reduce((sum, each) => sum + each.words, 0);
  const dialect = comments.flatMap(({ file, dialect: found }) => found.map((word) => ({ file, name: word })));
  const unused = all.filter(
    ({ name: word, file }) => !(wordsElsewhere.get(word)?.size > 1 || !wordsElsewhere.get(word)?.has(file)),
  );
  return {
    name,
    files: files.length,
    exports: all.length,
    documented: all.filter(({ isDocumented }) => isDocumented).length,
    entries: entries.size,
    bareEntries: [...entries.values()].filter(({ isDocumented }) => !isDocumented),
    words,
    dialect,
    unused,
    largeFolders: largeFoldersOf(files),
    imports: new Map([...texts].map(([file, text]) => [file, importsOf(file, text)])),
  };
}

function largeFoldersOf(files) {
  const counts = new Map();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([file, count]) => ({ file, name: `${count} files` }));
}

function importsOf(file, text) {
  return [...text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, to]) => join(dirname(file), to));
}

/** Each identifier of the repository, and the files that have it. */
function identifiers() {
  const places = ["packages", "bench", "scripts", "test", "train", "examples", "mcp"];
  const found = new Map();
  for (const place of places)
    for (const file of filesBelow(join(root, place), [".ts", ".tsx", ".mjs", ".js"]))
      for (const word of new Set(readFileSync(file, "utf8").match(/[A-Za-z_$][\w$]*/g))) {
        if (!found.has(word)) found.set(word, new Set());
        found.get(word).add(file);
      }
  return found;
}

function main(args) {
  const known = identifiers();
  const names = readdirSync(join(root, "packages")).sort();
  const packages = names.map((name) => measurePackage(name, known));
  const cycles = findCycles(new Map(packages.flatMap(({ imports }) => [...imports])));
  const shown = ({ file, name }) => `  ${relative(root, file)}  ${name}`;
  const figures = packages.map((each) => ({
    package: each.name,
    files: each.files,
    exports: each.exports,
    documented: each.exports === 0 ? 1 : each.documented / each.exports,
    entry_points: each.entries,
    entry_points_documented: each.entries === 0 ? 1 : 1 - each.bareEntries.length / each.entries,
    dialect_per_1000: each.words === 0 ? 0 : (1000 * each.dialect.length) / each.words,
    unused_exports: each.unused.length,
    large_folders: each.largeFolders.length,
  }));
  if (args.includes("--json"))
    return process.stdout.write(`${JSON.stringify({ packages: figures, cycles: cycles.length })}\n`);
  const percent = (share) => `${Math.round(100 * share)} %`;
  const rows = figures.map((each) => [
    each.package,
    String(each.files),
    String(each.exports),
    percent(each.documented),
    percent(each.entry_points_documented),
    each.dialect_per_1000.toFixed(1),
    String(each.unused_exports),
    String(each.large_folders),
  ]);
  const head = ["package", "files", "exports", "with doc", "entry with doc", "dialect/1000", "unused", "folders > 15"];
  const widths = head.map((title, k) => Math.max(title.length, ...rows.map((row) => row[k].length)));
  const line = (row) => row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join("  ");
  process.stdout.write(`${[head, ...rows].map(line).join("\n")}\ncycles: ${cycles.length}\n`);
  if (!args.includes("--list")) return;
  for (const each of packages)
    for (const [title, list] of [
      ["entry points without a doc comment", each.bareEntries],
      ["words of the dialect", each.dialect],
      ["exports that no other file uses", each.unused],
      ["folders over 15 files", each.largeFolders],
    ])
      if (list.length > 0) process.stdout.write(`\n${each.name}: ${title}\n${list.map(shown).join("\n")}\n`);
  for (const cycle of cycles)
    process.stdout.write(`\ncycle: ${cycle.map((file) => relative(root, file)).join(" → ")}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
