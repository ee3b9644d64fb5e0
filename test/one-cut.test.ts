// One cut: the same text through every door leaves one shape of record in the store and one line in the meter, is counted
// by `jeeves stats`, and keeps the same lines wherever the question and the amount are the same.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { placesIn, placesOf } from "../packages/cut/test/search/match-places.ts";
import { openPage, openService, openTools, runJeeves, runUnderExec, toReadEvent } from "./one-cut/doors.ts";
import {
  FILE,
  MATCHES,
  makePlace,
  PAGE,
  type Place,
  QUESTION,
  readMeterLines,
  readStoreEntries,
  TEXT,
  type Wire,
} from "./one-cut/given.ts";

/** What a call through a door left behind. */
interface Call {
  /** The text that the client got. */
  readonly shown: string;
  /** Its line in the meter; undefined where nothing may be counted. */
  readonly line?: Wire;
  readonly entry?: Wire;
  /** The numbers of the lines that were kept. */
  readonly kept: readonly number[];
}

const KEEP = 0.25;
const LINES = TEXT.split("\n").length - 1;
const place = makePlace();
const calls = new Map<string, Call>();
/** The stored cuts as the page shows them. */
const views = new Map<string, Wire>();
const of = (door: string): Call => calls.get(door) ?? { shown: "", kept: [] };

beforeAll(async () => {
  const tools = await openTools(place, "test");
  const hooks = await openTools(place, "claude-code");
  const service = await openService(place);
  const page = await openPage(place);
  try {
    const asked = { context_focus_question: QUESTION };
    const rpc = async (name: string, args: unknown) => {
      const params = { name, arguments: args };
      const { result } = await service.post("/rpc", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return JSON.parse(result.content[0].text);
    };
    const options = { min_keep_lines: 1, timeout_ms: 30_000, annotate_lines: false, include_markers: true };
    const textArgs = { text: TEXT, goal_hint: QUESTION, source_type: "code" };
    await counted("read", () => tools.call("read", { file_path: FILE, ...asked }));
    await counted("bash", () => tools.call("bash", { command: `cat ${FILE}`, ...asked }));
    await counted("grep", () =>
      tools.call("grep", { pattern: "row|voucher", path: FILE, max_matches: 5_000, ...asked }),
    );
    await counted("hook", async () => {
      const answer = JSON.parse(await hooks.call("jeeves_hook", toReadEvent(TEXT, place)));
      return answer.hookSpecificOutput.updatedToolOutput.file.content;
    });
    await counted("jeeves-exec", async () => runUnderExec(`cat ${FILE}`, place));
    await counted("prune_text", async () => {
      const ratio = { ...options, max_prune_ratio: 0.75 };
      return (await rpc("prune_text", { ...textArgs, options: ratio })).pruned_text;
    });
    const prune = { query: QUESTION, code: TEXT };
    await counted("/prune", async () => (await service.post("/prune", prune)).pruned_code);
    const share = { ...prune, max_prune_ratio: 1 - KEEP };
    await counted("/prune, a share", async () => (await service.post("/prune", share)).pruned_code);
    const byHand = (...args: string[]) => runJeeves(["prune", ...args], place);
    await counted("jeeves prune", async () => byHand(FILE, "--focus", QUESTION));
    await counted("jeeves prune, a share", async () => byHand(FILE, "--focus", QUESTION, "--keep", String(KEEP)));
    await counted("jeeves prune, as jeeves-exec", async () => byHand(FILE, "--focus", `cat ${FILE}\n${QUESTION}`));
    const search = `rg --column -nH 'row|voucher' ${FILE}`;
    await counted("bash, a search", () => tools.call("bash", { command: search, ...asked }));

    const before = readMeterLines(place).length;
    const tried = { text: TEXT, focus: QUESTION, name: FILE };
    calls.set("page", { shown: "", kept: keptOf(await page.post("/api/try", tried)) });
    calls.set("page, a share", { shown: "", kept: keptOf(await page.post("/api/try", { ...tried, keep: KEEP })) });
    expect(readMeterLines(place)).toHaveLength(before);
    for (const [door, { entry }] of calls)
      if (entry !== undefined) views.set(door, await page.get(`/api/cut?id=${entry.pruneId}`));
  } finally {
    await Promise.all([tools.close(), hooks.close(), service.close(), page.close()]);
  }
}, 120_000);
afterAll(() => place.remove());

/** Goes through a door and waits for the one line that it adds to the meter. */
async function counted(door: string, go: () => Promise<string>): Promise<void> {
  calls.set(door, await callIn(place, door, go));
}

async function callIn(place: Place, door: string, go: () => Promise<string>): Promise<Call> {
  const before = cutLines(place).length;
  const shown = await go();
  const { line, entry } = await vi.waitFor(
    () => {
      const added = cutLines(place).slice(before);
      if (added.length !== 1) throw new Error(`${door} added ${added.length} lines to the meter; it showed ${shown}`);
      const entry = readStoreEntries(place).find(({ pruneId }) => pruneId === added[0].prune_id);
      // Of an order it is written behind the answer.
      if (entry?.cut === undefined) throw new Error(`${door} left no record`);
      return { line: added[0], entry };
    },
    { timeout: 20_000 },
  );
  const blocks = entry.cut.blocks.map(([from, to]: [number, number]) => ({ from, to }));
  return { shown, line, entry, kept: keptOf({ lineCount: linesIn(entry.text), blocks }) };
}

function cutLines(at: Place): Wire[] {
  try {
    return readMeterLines(at).filter(({ kind }) => kind === "cut");
  } catch {
    return []; // before the first one
  }
}

function linesIn(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function keptOf({ lineCount, blocks }: Wire): number[] {
  const isDropped = (line: number) => blocks.some((block: Wire) => block.from <= line && line <= block.to);
  return Array.from({ length: lineCount }, (_, index) => index + 1).filter((line) => !isDropped(line));
}

describe("One cut: one text through every door", () => {
  const stored = () => [...calls].flatMap(([door, call]) => (call.entry === undefined ? [] : [{ door, ...call }]));

  it("leaves one shape of record beside each stored text: every line is in a block, or has why it stayed", () => {
    expect(stored()).toHaveLength(12);
    for (const { door, entry } of stored()) {
      expect(Object.keys(entry.cut), door).toEqual(["blocks", "why"]);
      const runs: Wire[] = [...entry.cut.blocks, ...entry.cut.why].sort(([a], [b]) => a - b);
      let next = 1;
      for (const run of runs) {
        expect(run, door).toEqual([next, expect.any(Number), expect.any(String)]);
        next = run[1] + 1;
      }
      expect(next, door).toBe(linesIn(entry.text) + 1);
      expect(
        entry.cut.why.every(([, , why]: Wire) => why !== ""),
        door,
      ).toBe(true);
    }
  });

  it("shows the lines that its record has as kept, and no others", () => {
    const lines = TEXT.split("\n");
    for (const { door, shown, entry, kept } of stored()) {
      if (entry.text !== TEXT) continue; // a list of matches names the others behind it
      const isOurs = (line: string) => /^(?:⟦.*⟧|\(filtered \d+ lines\)|\[.*recover_text prn_\w+\])$/.test(line);
      const own = shown
        .replace(/\n$/, "")
        .split("\n")
        .filter((line) => !isOurs(line));
      // The hook numbers its lines, as Claude Code does in what it reads.
      const bare = own.map((line) => line.replace(/^\d+│ /, ""));
      expect(bare, door).toEqual(kept.map((line) => lines[line - 1]));
    }
  });

  it("writes one line to the meter for each call, with the same fields", () => {
    expect(cutLines(place)).toHaveLength(stored().length);
    const fields = [
      "client",
      "focus",
      "kept_tokens",
      "kind",
      "ms",
      "project",
      "prune_id",
      "raw_tokens",
      "session",
      "shown_tokens",
      "tool",
      "ts",
      "way",
    ];
    for (const { door, line } of stored()) {
      const { what, by, made_visible, visible_failures, ...common } = line;
      expect(Object.keys(common).sort(), door).toEqual(fields);
      expect(by, door).toBe(door.startsWith("jeeves prune") ? "person" : undefined);
      expect(line.kept_tokens, door).toBeLessThan(line.raw_tokens);
    }
    const ofText = stored().filter(({ entry }) => entry.text === TEXT);
    expect(new Set(ofText.map(({ line }) => line.raw_tokens)).size).toBe(1);
  });

  it("is counted by jeeves stats, a person's calls by themselves", () => {
    const stats = JSON.parse(runJeeves(["stats", "--json", "--by", "tool"], place));
    const cuts = stats.parts.map(({ name, cuts }: Wire) => [name, cuts]).filter(([, count]: Wire) => count > 0);
    expect(cuts).toEqual([
      ["/prune", 2],
      ["Bash", 1],
      ["Read", 1],
      ["bash", 2],
      ["grep", 1],
      ["prune_text", 1],
      ["read", 1],
    ]);
    expect(stats).toMatchObject({ cuts: 9, recoveries: 0, by_hand: { cuts: 3, recoveries: 0 } });
    const agents = stored().filter(({ line }) => line.by !== "person");
    expect(stats.raw_tokens).toBe(agents.reduce((sum, { line }) => sum + line.raw_tokens, 0));
    expect(stats.kept_tokens).toBe(agents.reduce((sum, { line }) => sum + line.kept_tokens, 0));
  });

  it("is on the page with its blocks, the reasons of its lines, and what it cost", () => {
    for (const { door, kept, entry, line } of stored()) {
      const view = views.get(door);
      expect(keptOf(view), door).toEqual(kept);
      expect(view.why, door).toHaveLength(entry.cut.why.length);
      expect(view, door).toMatchObject({ tool: line.tool, focus: line.focus, keptTokens: line.kept_tokens });
    }
  });

  it("keeps the same lines wherever the question is the same and the engine decides how many", () => {
    const { kept } = of("read");
    expect(kept.length).toBeGreaterThan(5);
    expect(kept.length).toBeLessThan(LINES / 4);
    expect(of("read").shown).toContain("const voucherLimitCents = 4_200;");
    for (const door of ["bash", "hook", "/prune", "jeeves prune", "page"]) expect(of(door).kept, door).toEqual(kept);
  });

  it("keeps the same lines for the same share", () => {
    const { kept } = of("/prune, a share");
    expect(kept.length).toBeGreaterThan(of("read").kept.length);
    for (const door of ["jeeves prune, a share", "page, a share"]) expect(of(door).kept, door).toEqual(kept);
  });

  it("keeps the same lines under jeeves-exec, whose question begins with the command", () => {
    expect(of("jeeves-exec").kept).toEqual(of("jeeves prune, as jeeves-exec").kept);
    expect(of("jeeves-exec").line.focus).toBe(of("jeeves prune, as jeeves-exec").line.focus);
  });

  it("keeps the same matches of the same search, by our tool and by a command", () => {
    expect(of("bash, a search").entry.text.trimEnd()).toBe(of("grep").entry.text.trimEnd());
    expect(of("grep").kept.length).toBeLessThan(linesIn(of("grep").entry.text) / 4);
    expect(of("bash, a search").kept).toEqual(of("grep").kept);
  });
});

describe("One cut: the same lines of a text that is not what its name or its command says", () => {
  const files = { found: MATCHES, "found.txt": MATCHES, "found.log": MATCHES, "page.rst": PAGE };
  const other = makePlace(files);
  const kept = new Map<string, Map<string, Call>>();
  const doorsOf = (name: string) => kept.get(name) ?? new Map<string, Call>();
  const linesOf = (name: string, door: string) => doorsOf(name).get(door)?.kept ?? [];

  beforeAll(async () => {
    const tools = await openTools(other, "test");
    const hooks = await openTools(other, "claude-code");
    const service = await openService(other);
    const page = await openPage(other);
    try {
      for (const [name, text] of Object.entries(files)) {
        const made = new Map<string, Call>();
        kept.set(name, made);
        const through = async (door: string, go: () => Promise<string>) =>
          made.set(door, await callIn(other, `${door} ${name}`, go));
        const asked = { context_focus_question: QUESTION };
        const prune = { query: QUESTION, code: text };
        await through("read", () => tools.call("read", { file_path: name, ...asked }));
        await through("bash", () => tools.call("bash", { command: `cat ${name}`, ...asked }));
        await through("hook", async () => {
          const answer = JSON.parse(await hooks.call("jeeves_hook", toReadEvent(text, other, name)));
          return answer.hookSpecificOutput.updatedToolOutput.file.content;
        });
        await through("jeeves-exec", async () => runUnderExec(`cat ${name}`, other));
        await through("jeeves prune", async () => runJeeves(["prune", name, "--focus", QUESTION], other));
        await through("/prune", async () => (await service.post("/prune", prune)).pruned_code);
        const tried = await page.post("/api/try", { text, focus: QUESTION, name });
        made.set("page", { shown: tried.list ?? "", kept: keptOf(tried) });
        const options = {
          max_prune_ratio: 0.5,
          min_keep_lines: 1,
          timeout_ms: 30_000,
          annotate_lines: false,
          include_markers: true,
        };
        await through("prune_text", async () => {
          const args = { text, goal_hint: QUESTION, source_type: name === "page.rst" ? "docs" : "logs", options };
          const params = { name: "prune_text", arguments: args };
          const { result } = await service.post("/rpc", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
          return JSON.parse(result.content[0].text).pruned_text;
        });
      }
    } finally {
      await Promise.all([tools.close(), hooks.close(), service.close(), page.close()]);
    }
  }, 240_000);
  afterAll(() => other.remove());

  it.each(["found", "found.txt", "found.log"])("X-58 %s: every door keeps the same matches", (name) => {
    const own = linesOf(name, "read");
    expect(own.length).toBeGreaterThan(12);
    expect(own.length).toBeLessThan(150);
    expect(own).toEqual(linesOf("found", "read"));
    for (const door of ["bash", "hook", "jeeves prune", "/prune", "page"])
      expect(linesOf(name, door), door).toEqual(own);
  });

  it.each(["found", "found.txt", "found.log"])("X-58 %s: no match disappears in any of them", (name) => {
    const places = placesOf(MATCHES.trimEnd().split("\n"));
    for (const door of ["read", "bash", "hook", "jeeves-exec", "jeeves prune", "/prune"])
      expect(placesIn((doorsOf(name).get(door)?.shown ?? "").replace(/^\d+│ /gm, "")), door).toEqual(places);
    const ofPage = linesOf(name, "page").map((line) => MATCHES.split("\n")[line - 1]);
    expect(placesIn(`${ofPage.join("\n")}\n${doorsOf(name).get("page")?.shown}`)).toEqual(places);
  });

  it("a page keeps the same lines wherever its name is known, by a command that prints it, too", () => {
    const own = linesOf("page.rst", "read");
    expect(own.length).toBeLessThan(linesIn(PAGE) / 4);
    expect(doorsOf("page.rst").get("read")?.shown).toContain("To check the limit of a voucher");
    for (const door of ["bash", "hook", "jeeves prune", "page"]) expect(linesOf("page.rst", door), door).toEqual(own);
  });

  it("an order for more lines has those that the engine keeps by itself", () => {
    for (const name of ["page.rst", "found"]) {
      const ordered = new Set(linesOf(name, "prune_text"));
      expect(ordered.size, name).toBeGreaterThan(linesOf(name, "read").length);
      expect(
        linesOf(name, "read").filter((line) => !ordered.has(line)),
        name,
      ).toEqual([]);
    }
  });
});
