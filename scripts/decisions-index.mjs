// Writes the index at the top of docs/decisions.md: one row per decision with its date and status. Run it after adding
// an entry (`npm run decisions`); test/repository-docs.test.ts fails while the index is stale.
// An entry's status is its first line: `Superseded by: TITLE` or `Changed in part by: TITLE`, else it is in force.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = join(dirname(dirname(fileURLToPath(import.meta.url))), "docs", "decisions.md");
const BEGIN = "<!-- index: made by `npm run decisions` -->";
const END = "<!-- end of index -->";
const ENTRY = /^## (.*)\n(?:(Superseded by|Changed in part by): (.*)\n)?/gm;
const HEADING = /^(\d{4}-\d{2}-\d{2}) · (.+)$/;

/** The fragment that GitHub gives a heading. */
const toFragment = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");

/** The page with an index that names every decision once. Throws where an entry has no date or names no other entry. */
export function withIndex(page) {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`docs/decisions.md needs a line ${BEGIN} and, below it, ${END}`);
  const entries = [...page.slice(end).matchAll(ENTRY)].map(([, heading, status, by]) => {
    const [, date, title] = HEADING.exec(heading) ?? [];
    if (title === undefined)
      throw new Error(`docs/decisions.md: "${heading}" should be "YYYY-MM-DD · what was decided"`);
    return { heading, date, title, status, by };
  });
  const linkTo = (entry) => `[${entry.title.replaceAll("|", "\\|")}](#${toFragment(entry.heading)})`;
  const rows = entries.map((entry, n) => {
    if (entries.findIndex(({ title }) => title === entry.title) !== n)
      throw new Error(`docs/decisions.md has two decisions with the title "${entry.title}"`);
    const newer = entries.find(({ title }) => title === entry.by);
    if (entry.status !== undefined && (newer === undefined || newer === entry))
      throw new Error(
        `docs/decisions.md: "${entry.title}" names "${entry.by}", which is the title of no other decision`,
      );
    const status = newer === undefined ? "in force" : `${entry.status.toLowerCase()} ${linkTo(newer)}`;
    return `| ${entry.date} | ${linkTo(entry)} | ${status} |`;
  });
  const index = [BEGIN, "", "| date | decision | status |", "|---|---|---|", ...rows, "", END].join("\n");
  return page.slice(0, begin) + index + page.slice(end + END.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = readFileSync(PAGE, "utf8");
  const wanted = withIndex(page);
  if (wanted !== page) writeFileSync(PAGE, wanted);
  process.stdout.write(`docs/decisions.md: the index ${wanted === page ? "was up to date" : "is written"}\n`);
}
