// X-58 through jeeves-exec, for the forms in which real search programs print: messages between the matches, lines
// without paths or numbers, lists of files, pipes, and more matches than a client shows.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { beforeAll, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../cut/test/search/match-places.ts";
import { bare, dir, run } from "./jeeves-exec-given.ts";

const programs = join(dir, "programs");
const transcript = join(dir, "transcript.jsonl");
const env = { PATH: `${programs}:${process.env.PATH}` };
const LIMITS = { codex: 9_000, "claude-code": 27_000 };
type Client = keyof typeof LIMITS;
let sessions = 0;

function search(command: string, client: Client = "codex") {
  const whole = bare(command, { env }).stdout.toString();
  const args = [`--client=${client}`, `--session=forms${sessions++}`, `--transcript=${transcript}`];
  const shown = run(command, { env, args }).stdout.toString();
  return { whole, shown, lines: shown.trimEnd().split("\n") };
}

const linesOf = (text: string) => text.trimEnd().split("\n");
/** Lines that the markers count as left out. */
const leftOut = (lines: readonly string[]) =>
  lines.reduce((sum, line) => sum + Number(/^⟦… (\d+) lines? /.exec(line)?.[1] ?? 0), 0);
/** Matches of the list behind the kept lines: by number, by count, and in files without a name. */
function counted(lines: readonly string[]): number {
  const list = lines.slice(lines.findIndex((line) => /^\[\d+ more /.test(line)) + 1);
  return list.reduce((sum, row) => {
    const numbers = /: (\d+(?:, \d+)*)$/.exec(row)?.[1]?.split(", ").length ?? 0;
    return sum + numbers + Number(/ \((\d+)\)$/.exec(row)?.[1] ?? /^\[and (\d+) more/.exec(row)?.[1] ?? 0);
  }, 0);
}

/** The paths of a list by directory. */
function namedByDirectory(lines: readonly string[]): string[] {
  const rows = lines.slice(lines.findIndex((line) => line.endsWith(", by directory]")) + 1, -1);
  return rows
    .flatMap((row) => {
      const [at = "", names = ""] = row.split(": ");
      return names.split(", ").map((name) => `${at}${name}`);
    })
    .sort();
}

beforeAll(() => {
  const question = { role: "user", content: "Where is the row of the last voucher booked, and who returns it?" };
  writeFileSync(transcript, `${JSON.stringify({ type: "user", message: question })}\n`);
  mkdirSync(programs);
  symlinkSync(rgPath, join(programs, "rg"));
  mkdirSync(join(dir, "tree/compiled"), { recursive: true });
  for (let file = 0; file < 12; file++) {
    const calls = Array.from({ length: 20 }, (_, call) => `\n  const row${call} = request(rows[${call}].at, options);`);
    writeFileSync(join(dir, `tree/module-${file}.ts`), `${calls.join("\n")}\n`);
  }
  for (let file = 0; file < 60; file++) writeFileSync(join(dir, `tree/compiled/${file}.bin`), "\0\0request\0");
  const calls = Array.from({ length: 240 }, (_, i) => `\n  const row${i} = request(rows[${i}].at, options);`);
  mkdirSync(join(dir, "single"));
  writeFileSync(join(dir, "single/all.ts"), `${calls.join("\n")}\n`);
  mkdirSync(join(dir, "logs"));
  const log = Array.from(
    { length: 400 },
    (_, i) =>
      `2026-11-17 09:${String(10 + Math.floor(i / 20)).padStart(2, "0")}:${String(10 + (i % 50))} ERROR worker ${i} could not book voucher ${i * 7}`,
  );
  writeFileSync(join(dir, "logs/app.log"), `${log.join("\n")}\n`);
  writeFileSync(join(dir, "logs/web.log"), `${log.slice(0, 200).join("\n")}\n`);
  mkdirSync(join(dir, "wide"));
  for (let file = 0; file < 500; file++) {
    const words = file % 7 === 6 ? "the row of the last voucher that was booked" : "and a few words more of it";
    const text = `  return needle(here); // ${words}\n`.repeat(1 + (file % 5));
    writeFileSync(join(dir, `wide/component-of-the-page-number-${file}.ts`), text);
  }
  for (let shelf = 0; shelf < 40; shelf++) {
    const at = join(dir, `shelves/shelf-${shelf}-of-the-long-corridor`);
    mkdirSync(at, { recursive: true });
    for (let box = 0; box < 15; box++) {
      const text = "  return needle(here);\n".repeat(box % 2 === 0 ? 0 : (box % 3) + 1);
      writeFileSync(join(at, `box-${box}.ts`), `// a box\n${text}`);
    }
  }
});

describe("X-58 messages of the program", () => {
  it.each(["codex", "claude-code"] as const)("between the matches cost no match its place (%s)", (client) => {
    const { whole, shown, lines } = search("grep -rn request tree 2>&1", client);
    const matches = linesOf(whole).filter((line) => /:\d+:/.test(line));
    expect(matches).toHaveLength(240);
    expect(shown.length).toBeLessThan(whole.length * 0.75);
    expect(placesIn(shown)).toEqual(placesOf(matches));
    const messages = lines.filter((line) => line.includes("inary file")).length;
    const more = lines.map((line) => Number(/^\[(\d+) more messages\]$/.exec(line)?.[1] ?? 0));
    expect(messages + Math.max(...more)).toBe(60);
  });
});

describe("X-58 lines without paths or numbers", () => {
  it.each([
    "grep ERROR logs/app.log",
    "rg ERROR logs/app.log",
    "grep -h ERROR logs/*.log",
    "cat logs/app.log | grep ERROR",
    "grep -rhn ERROR logs",
  ])("%s counts each line that is left out, and no time is a place", (command) => {
    const { whole, shown, lines } = search(command);
    const gone = leftOut(lines);
    expect(gone).toBeGreaterThan(100);
    expect(lines.slice(-2)).toEqual([`[${gone} more lines]`, expect.stringMatching(/recover_text prn_/)]);
    const kept = lines.slice(0, -2).filter((line) => !line.startsWith("⟦…"));
    expect(kept.length + gone).toBe(linesOf(whole).length);
    expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
  });

  it("paths without numbers are counted by file", () => {
    const { lines, whole } = search("grep ERROR logs/app.log logs/web.log");
    expect(linesOf(whole)).toHaveLength(600);
    expect(lines.at(-2)).toMatch(/^logs\/web\.log \(\d+\)$/);
    expect(counted(lines)).toBe(leftOut(lines));
  });
});

describe("X-51 X-58 at the client's limit", () => {
  it.each(["codex", "claude-code"] as const)(
    "%s: as many files as fit are named, and all matches counted",
    (client) => {
      const { whole, shown, lines } = search("rg -n needle wide", client);
      expect(linesOf(whole)).toHaveLength(1_500);
      expect(shown.length).toBeLessThanOrEqual(LIMITS[client]);
      const shownMatches = lines.filter((line) => /^wide\/[^:]+:\d+:/.test(line)).length;
      expect(shownMatches + counted(lines)).toBe(1_500);
      const named = lines.filter((line) => /^wide\/.*(?: \(\d+\)|: \d+(?:, \d+)*)$/.test(line)).length;
      expect(named).toBeGreaterThan(client === "codex" ? 40 : 350);
      // Claude Code would show 2 kB: no more is shown in full than that.
      if (client === "codex") expect(shown.length).toBeGreaterThan(LIMITS.codex - 400);
      else expect(shownMatches).toBeLessThan(60);
    },
  );

  it.each(["rg --files wide wide wide", "rg -c needle wide wide wide", "grep -rl needle wide wide wide"])(
    "%s: a list of files is left to a client that saves it, and fills the room where it does not",
    (command) => {
      const claude = search(command, "claude-code");
      expect(claude.whole.length).toBeGreaterThan(40_000);
      expect(linesOf(claude.shown).sort()).toEqual(linesOf(claude.whole).sort());
      const { shown, lines } = search(command);
      expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
      expect(shown.length).toBeGreaterThan(LIMITS.codex - 300);
      expect(lines.slice(-2)).toEqual([`[${leftOut(lines)} more files]`, expect.stringMatching(/recover_text prn_/)]);
    },
  );

  it.each(["grep -rl box shelves", "rg -l box shelves | sort", "git grep --no-index -l box shelves"])(
    "%s: every file is named, below its directory, where the list has no room otherwise",
    (command) => {
      const { whole, shown, lines } = search(command);
      expect(linesOf(whole)).toHaveLength(600);
      expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
      expect(lines.slice(0, 2)).toEqual(["⟦… 600 lines 1-600⟧", "[600 files, by directory]"]);
      expect(namedByDirectory(lines)).toEqual(linesOf(whole).sort());
    },
  );

  it.each(["grep -rc needle shelves", "grep -rc needle shelves 2>/dev/null | sort"])(
    "%s: every file with matches is named with their number, and those without are not",
    (command) => {
      const { whole, shown, lines } = search(command);
      const found = linesOf(whole).filter((line) => !line.endsWith(":0"));
      expect([linesOf(whole).length, found.length]).toEqual([600, 280]);
      expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
      expect(namedByDirectory(lines)).toEqual(found.sort());
    },
  );

  it("a list that the client shows whole is not cut for next to nothing", () => {
    const many = search("grep -rl needle wide wide/*-1*.ts wide/*-2*.ts", "claude-code");
    expect(many.whole.length).toBeGreaterThan(LIMITS["claude-code"]);
    expect(many.whole.length).toBeLessThan(30_000);
    expect(many.shown).toBe(many.whole);
    const few = search("rg --files wide", "claude-code");
    expect(linesOf(few.shown).sort()).toEqual(linesOf(few.whole).sort());
  });

  it("a list of numbers that saves too little leaves the search whole", () => {
    const lines = Array.from({ length: 130 }, (_, i) => `\ndef test_row_${i}(self, request, monkeypatch, tmp_path):`);
    writeFileSync(join(dir, "short.py"), `${lines.join("\n")}\n`);
    const { whole, shown } = search("grep -n def short.py", "claude-code");
    expect(whole.length).toBeGreaterThan(6_500);
    expect(shown).toBe(whole);
  });
});

describe("X-58 pipes", () => {
  it.each([
    ["cat single/all.ts | grep -n request", "single/all.ts"],
    ["nl -ba single/all.ts | grep request", "single/all.ts"],
    ["cat -n single/all.ts | grep request | head -200", "single/all.ts"],
  ])("%s lists the numbers of the file's lines", (command, path) => {
    const { whole, lines } = search(command);
    const row = lines.find((line) => line.startsWith(`${path}: `)) ?? "";
    const numbers = row.slice(path.length + 2).split(", ");
    const shown = lines.map((line) => /^ *(\d+)[:\t]/.exec(line)?.[1]).filter((number) => number !== undefined);
    const all = linesOf(whole).map((line) => /^ *(\d+)/.exec(line)?.[1]);
    expect([...shown, ...numbers].sort()).toEqual([...all].sort());
  });

  it.each([
    "grep -rnI request tree | grep -v row3",
    "cd tree && rg -n request -g 'module*' .",
    "git grep --no-index -n request -- 'tree/module*' | head -200",
    "grep -rnI request tree | sort | cut -c1-100",
  ])("%s is a search like any other", (command) => {
    const { whole, shown } = search(command);
    expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
    expect(placesIn(shown)).toEqual(placesOf(linesOf(whole)));
  });

  it.each([
    "grep -rnI request tree | tee all.txt",
    "grep -rnI request tree | sed 's/const/let/'",
    "grep -rnI request tree | awk '{print}'",
    "grep -rnI request tree | shuf",
    "grep -rnI request tree | wc -l; grep -rnI request tree",
    "rg -l request -g '*.ts' tree | xargs -d '\\n' grep -n request",
    "rg -n --path-separator / request -g '*.ts' tree",
    "rg -n --field-match-separator=: request -g '*.ts' tree",
    "cat <(grep -rnI request tree)",
  ])("%s still names its places, and so does what is shown", (command) => {
    const { shown } = search(command);
    expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
    expect(placesIn(shown)).toEqual(placesOf(linesOf(bare("grep -rnI request tree").stdout.toString())));
  });

  it.each(["cat logs/app.log; grep -rnI request tree", "grep -rnI request tree; cat logs/app.log"])(
    "%s names every match, and the log is cut",
    (command) => {
      const { shown, whole } = search(command, "claude-code");
      const isPlace = (place: string) => place.startsWith("tree/");
      expect(shown.length).toBeLessThanOrEqual(LIMITS["claude-code"]);
      expect(placesIn(shown).filter(isPlace)).toEqual(placesOf(linesOf(whole)).filter(isPlace));
    },
  );

  it.each([
    "grep -rnI request tree | cut -d: -f1,2",
    "grep -rnI request tree | awk -F: '{ print $2, $1, $3 }'",
    "rg -n --field-match-separator='|' request tree",
  ])("%s has a form of its own: whole where it fits, else its first lines and how many follow", (command) => {
    const claude = search(command, "claude-code");
    expect(linesOf(claude.shown).sort()).toEqual(linesOf(claude.whole).sort());
    expect(claude.shown).not.toContain("recover_text");
    const { lines, shown, whole } = search(command);
    if (whole.length <= LIMITS.codex) return expect(shown).not.toContain("recover_text");
    expect(shown.length).toBeLessThanOrEqual(LIMITS.codex);
    expect(lines.slice(-2)).toEqual([`[${leftOut(lines)} more lines]`, expect.stringMatching(/recover_text prn_/)]);
  });

  it.each(["codex", "claude-code"] as const)(
    "rg --json names every match that is not shown in full in %s",
    (client) => {
      const { lines, shown, whole } = search("rg --json request tree", client);
      const isMatch = (line: string) => line.startsWith('{"type":"match"');
      expect(shown.length).toBeLessThanOrEqual(LIMITS[client]);
      expect(lines.filter(isMatch).length + counted(lines)).toBe(linesOf(whole).filter(isMatch).length);
      expect(lines.at(-1)).toMatch(/recover_text prn_/);
    },
  );
});
