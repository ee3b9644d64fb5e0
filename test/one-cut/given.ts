// What the test of all doors is given: a project with one long file, a state directory of its own, and a question.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const WORKSPACE = new URL("../../packages/workspace/package.json", import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: what comes off the wire is looked at field by field
export type Wire = any;

export const FILE = "orders.ts";
export const QUESTION = "What is the voucher limit, and where is the voucher limit checked?";
export const SESSION = "one-cut-session";

/** About 13,000 tokens; one function of it answers the question, and it is far behind the first 6 kB. */
export const TEXT = Array.from({ length: 150 }, (_, index) => {
  const name = index === 97 ? "checkVoucherLimit" : `handle${["Order", "Invoice", "Parcel"][index % 3]}${index}`;
  return [
    `/** Looks after number ${index} of many things here. */`,
    `export function ${name}(request: Request${index}): Outcome {`,
    index === 97
      ? "  const voucherLimitCents = 4_200;"
      : `  const amount${index} = request.rows.length * ${index + 3};`,
    "  for (const row of request.rows) {",
    `    log.write("row", row.id, ${index});`,
    `    if (row.isLate) return failed(row, "late ${index}");`,
    "  }",
    `  return done(${index});`,
    "}",
    "",
  ].join("\n");
}).join("\n");

/** 600 matches of a search, about 17,000 tokens, as a person keeps them in a file. */
export const MATCHES = Array.from({ length: 600 }, (_, index) => {
  const given = index % 53 === 7 ? "voucher.limit, checked" : `request.rows[${index}].target, options`;
  return `src/part-${Math.floor(index / 40)}/paths.ts:${index * 3 + 1}:  const place${index} = normalizePath(${given});\n`;
}).join("");

/** A page in reStructuredText that shows more output than it has words: by its look alone it is no page. */
export const PAGE = Array.from({ length: 50 }, (_, index) => {
  const title = index === 31 ? "To check the limit of a voucher" : `To change the colour of parcel ${index}`;
  const rows = Array.from({ length: 12 }, (_, row) => `        "Row${row}Of${index}": ${index * row + 1},`);
  return [
    `**Example ${index}: ${title}**`,
    "",
    `The following \`\`call-${index}\`\` example does what its title says, for ${index === 31 ? "each voucher limit" : "all of them"}. ::`,
    "",
    `    tool call-${index} \\`,
    `        --name thing-${index}`,
    "",
    "Output::",
    "",
    "    {",
    ...rows,
    `        "Status": "DONE"`,
    "    }",
    "",
    "",
  ].join("\n");
}).join("");

export interface Place {
  readonly root: string;
  readonly state: string;
  readonly transcript: string;
  readonly env: Record<string, string>;
  remove(): void;
}

/** Nothing of the developer's own environment decides the test. */
export function makePlace(files: Readonly<Record<string, string>> = { [FILE]: TEXT }): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "jeeves-one-cut-")));
  const [root, state, tmp] = [join(base, "project"), join(base, "state"), join(base, "tmp")];
  for (const dir of [join(root, ".git"), state, tmp]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const transcript = join(base, "transcript.jsonl");
  const said = { type: "user", message: { role: "user", content: QUESTION } };
  writeFileSync(transcript, `${JSON.stringify(said)}\n`);
  // The ripgrep that our own grep runs, for a command that searches as it does.
  const bin = join(base, "bin");
  mkdirSync(bin);
  symlinkSync(createRequire(WORKSPACE)("@vscode/ripgrep").rgPath, join(bin, "rg"));
  // Our bash tool runs a login shell, and some of them set a PATH of their own.
  writeFileSync(join(base, ".bash_profile"), `export PATH='${bin}':"$PATH"\n`);
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
    HOME: base,
    LANG: "C.UTF-8",
    TMPDIR: tmp,
    JEEVES_STATE_DIR: state,
    MCP_PRUNER_CWD: root,
    JEEVES_NODE: process.execPath,
  };
  return { root, state, transcript, env, remove: () => rmSync(base, { recursive: true, force: true }) };
}

/** Every line of the meter, oldest first. */
export function readMeterLines({ state }: Place): Wire[] {
  const dir = join(state, "meter");
  return readdirSync(dir)
    .sort()
    .flatMap((name) => readFileSync(join(dir, name), "utf8").trimEnd().split("\n"))
    .map((line) => JSON.parse(line));
}

/** Every entry of the store, with its text. */
export function readStoreEntries({ state }: Place): Wire[] {
  const dir = join(state, "store");
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => /prn_[a-z2-7]{12}\.json$/.test(name))
    .map((name) => {
      const read = (ending: string) => readFileSync(join(dir, name.replace(/json$/, ending)), "utf8");
      const record = existsSync(join(dir, name.replace(/json$/, "cut"))) ? { cut: JSON.parse(read("cut")) } : {};
      return { ...JSON.parse(read("json")), ...record, text: read("txt") };
    });
}
