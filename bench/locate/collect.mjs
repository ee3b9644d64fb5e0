// What a fit learns from, as JSON lines: for each question the leading files with their signals, and which are right.
// usage: node bench/locate/collect.mjs --cases FILE… --repos DIR --out FILE
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkOut, groupCases, readCases } from "./cases.mjs";
import { loadRanker } from "./load-ranker.mjs";

const { values } = parseArgs({
  options: { cases: { type: "string", multiple: true }, repos: { type: "string" }, out: { type: "string" } },
});
if (values.cases === undefined || values.repos === undefined || values.out === undefined) {
  process.stderr.write("usage: node bench/locate/collect.mjs --cases FILE… --repos DIR --out FILE\n");
  process.exit(2);
}
const ranker = await loadRanker();
writeFileSync(values.out, "");
const folder = mkdtempSync(join(tmpdir(), "jeeves-locate-"));
try {
  for (const file of values.cases) for (const group of groupCases(readCases(file))) await collect(group);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function collect(group) {
  const name = group.repo.replace("/", "+");
  const dir = join(folder, name);
  try {
    renameSync(checkOut(group, { repos: values.repos, into: folder }), dir);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return;
  }
  const keeper = ranker.createCorpusKeeper({
    indexDir: join(folder, "index"),
    deny: [],
    maxFileBytes: 2 ** 20,
    maxFiles: 1e6,
  });
  const opening = { signal: new AbortController().signal, scanUntil: Infinity, prefer: async () => new Map() };
  const { corpus } = await keeper.open(dir, opening);
  for (const { question, files } of group.cases) {
    const asked = ranker.parseQuestion(question);
    const led = ranker.leadersOf([corpus], asked, { direct: [], rankOf: () => 0 });
    const rows = led.rows.map((row) => row.map((value) => Number(value.toPrecision(6))));
    const leaders = led.files.map(({ path }) => path);
    appendFileSync(values.out, `${JSON.stringify({ repo: group.repo, question, gold: files, leaders, rows })}\n`);
  }
  await keeper.settle();
  rmSync(dir, { recursive: true, force: true });
  process.stderr.write(
    `${group.repo} ${group.commit.slice(0, 8)}: ${corpus.size} files, ${group.cases.length} cases\n`,
  );
}
