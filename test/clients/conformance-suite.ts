// What every client with hooks must do: its own reads, commands, searches and the results of other servers reach the model
// cut, complete and numbered truly; nothing of ours gets into a file; everything comes back; and the user's own rules hold.
// It needs no client itself: conformance.test.ts has the rows of real ones, ../client-adapter.test.ts that of an example.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesIn } from "../../packages/cut/test/search/match-places.ts";
import { withPaths } from "../../packages/intercept/test/with-paths.ts";
import { writeLongCallSites } from "./call-sites.ts";
import {
  ANSWER,
  checkCut,
  createInterceptProject,
  FAILURES,
  FOCUS,
  type InterceptProject,
} from "./intercept-project.ts";
import type { Conversation, ToolOutput, Turn } from "./scripted-model.ts";

/** Lines of a text, by their numbers. */
export interface Lines {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** What the suite has to know of a client. */
export interface HookedClient {
  readonly name: string;
  /** Puts our hooks into its settings. */
  connect(project: InterceptProject, env: Readonly<Record<string, string>>): void;
  /** Takes them out again. */
  disconnect(project: InterceptProject, env: Readonly<Record<string, string>>): void;
  /** Writes the user's own settings: a rule that keeps secret.txt away, and a server `text`. Returns its variables. */
  prepare(project: InterceptProject, textFile: string): Promise<Record<string, string>>;
  run(run: {
    readonly prompt: string;
    readonly script: readonly Turn[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  }): Promise<Conversation>;
  read(path: string): Turn;
  shell(command: string): Turn;
  search(pattern: string, dir: string): Turn;
  fetchText(): Turn;
  edit(path: string, before: string, after: string): Turn;
  /** The way back that the last line of a cut names. */
  recover(lines: (seen: Conversation) => Lines): Turn;
  /** The text of a result without the client's words around it. */
  plain(shown: string): string;
  /** Whether the kept lines of a read carry their numbers. */
  readonly reads: "numbered" | "plain";
  /** Matches that it looks for at most. */
  readonly maxMatches: number;
}

const MARKER = "⟦… 35 lines 120-154⟧";
const SMALL = "a small file\nwith two lines\n";

/** The first lines that a cut left out, and the file or the id that its last line names. */
function firstBlock(shown: string): Lines {
  const [, file = ""] = /rest: .*?(?:Read (\S+prn_\w+\.txt) by lines|(?=recover_text))/.exec(shown) ?? [];
  const [, id = ""] = /(prn_[a-z2-7]{12})/.exec(shown.slice(shown.lastIndexOf("rest: "))) ?? [];
  const [, from, to] = /⟦… ×?\d+ lines (\d+)-(\d+)/.exec(shown) ?? [];
  return { file: file || id, from: Number(from), to: Math.min(Number(to), Number(from) + 19) };
}

/** What each client reads at once. */
function partOf({ source }: InterceptProject): string {
  return source.trimEnd().split("\n").slice(-1_510).join("\n");
}

/** The suite for one client. */
export function describeClient(client: HookedClient): void {
  describe(client.name, () => {
    let project: InterceptProject;
    let seen: Conversation;
    let env: Record<string, string>;
    let before: Readonly<Record<string, string>>;
    let written: Readonly<Record<string, string>>;
    let places: Set<string>;

    beforeAll(async () => {
      // opencode 1.18 sometimes shows a command's output without its end: then once more, from the beginning.
      for (let tries = 0; tries < 3; tries++) {
        project?.remove();
        await converse();
        if (plain(2).includes("20000 passed")) break;
      }
    });
    afterAll(() => project?.remove());

    async function converse(): Promise<void> {
      project = await createInterceptProject();
      places = await writeLongCallSites(project);
      const at = (name: string) => join(project.root, name);
      await writeFile(at("secret.txt"), "sesame\n");
      await writeFile(at("src/part.js"), `${partOf(project)}\n`);
      env = { ...(await client.prepare(project, at("src/command.js"))), JEEVES_STATE_DIR: project.stateDir };
      before = project.fingerprint();
      client.connect(project, env);
      written = project.fingerprint();
      const script = [
        client.read(at("src/part.js")),
        client.read(at("small.txt")),
        client.shell("npm test"),
        client.shell("npm run lint --silent"),
        client.search("normalizePath", "lib"),
        client.fetchText(),
        client.edit(at("small.txt"), "a small file", `a small file\n${MARKER}`),
        client.recover(({ outputs }) => firstBlock(outputs[2]?.parts.join("\n") ?? "")),
        client.read(at("secret.txt")),
        client.edit(at("small.txt"), "a small file", "an edited file"),
        { say: "Done." },
      ];
      seen = await client.run({ prompt: FOCUS, script, cwd: project.root, env });
    }

    const output = (index: number): ToolOutput => {
      const found = seen.outputs[index];
      if (found === undefined) throw new Error(`no output ${index}`);
      return found;
    };
    const shown = (index: number) => output(index).parts.join("\n");
    const plain = (index: number) => client.plain(shown(index));

    it("a read of 1,500 lines reaches the model cut, and numbered truly", () => {
      const kept = checkCut(plain(0), partOf(project), { numbered: client.reads === "numbered" });
      expect(kept).toContain(`  ${ANSWER}`);
      expect(kept.length).toBeLessThan(700);
      expect(output(0).isError).toBe(false);
    });

    it("a small file is read as it is", () => {
      expect(shown(1)).toContain("a small file");
      expect(shown(1)).not.toMatch(/⟦|rest:/);
    });

    it("X-51 X-59 a failing test run of 20,000 lines keeps every failure, and counts every other line", () => {
      const text = plain(2);
      const lines = text.split("\n");
      for (const line of FAILURES.flat()) expect(lines).toContain(line);
      expect(lines).toContain("      Tests  3 failed | 20000 passed (20003)");
      expect(text.length).toBeLessThan(12_000);
      const head = lines.indexOf("> vitest run");
      expect(
        checkCut(lines.slice(head).map(shifted(head)).join("\n"), project.log, { numbered: false }).length,
      ).toBeLessThan(400);
    });

    it("X-51 an output of 40,000 characters is shown as lines of it", () => {
      checkCut(plain(3), project.table, { numbered: false });
      expect(plain(3).length).toBeLessThan(project.table.length / 2);
    });

    it("X-58 a search of 168 matches names every match that the client found", () => {
      const named = placesIn(withPaths(plain(4)));
      expect(plain(4)).toMatch(/rest: .*prn_/);
      expect(named.length).toBe(Math.min(client.maxMatches, places.size));
      expect(named.filter((place) => !places.has(place))).toEqual([]);
    });

    it("another server's text reaches the model cut, with the answer in it", () => {
      const kept = checkCut(plain(5), project.source, { numbered: false });
      expect(kept).toContain(`  ${ANSWER}`);
      expect(kept.length).toBeLessThan(1_000);
    });

    it("an edit that would write a marker is refused with the way to the real lines; another one is made", () => {
      expect(shown(6)).toContain(MARKER);
      expect(shown(6)).toContain("Read lines 120-154");
      expect(readFileSync(join(project.root, "small.txt"), "utf8")).toBe(SMALL.replace("a small", "an edited"));
    });

    it("X-21 lines that were left out come back as they are, and are counted", () => {
      const { file, from, to } = firstBlock(shown(2));
      const whole = file.startsWith("/") ? readFileSync(file, "utf8") : `\n> test\n> sh run-tests.sh\n\n${project.log}`;
      expect(whole).toContain(project.log.trimEnd());
      expect(to - from).toBeGreaterThan(10);
      for (const line of whole.split("\n").slice(from - 1, to)) expect(shown(7)).toContain(line);
      expect(project.meter().filter(({ kind }) => kind === "recovered")).toHaveLength(1);
    });

    it("X-61 what the user's own rules forbid stays unread", () => {
      expect(shown(8)).not.toContain("sesame");
    });

    it("X-62 taken out again, it leaves the settings as they were", () => {
      const ours = project.fingerprint();
      client.disconnect(project, env);
      const after = project.fingerprint();
      for (const path of Object.keys(before)) {
        // A client may write to its own settings while it runs.
        if (ours[path] !== written[path]) expect(readFileSync(path, "utf8")).not.toMatch(/jeeves[/"]/);
        else expect([path, after[path]]).toEqual([path, before[path]]);
      }
      // What connecting made and the client left alone is gone.
      const left = Object.keys(written).filter((path) => before[path] === undefined && after[path] === written[path]);
      expect(left).toEqual([]);
    });
  });
}

/** Of lines that other lines stand above: markers count those, too. */
function shifted(above: number): (line: string) => string {
  return (line) =>
    line.replace(/^(⟦… ×?\d+ lines? )(\d+)(?:-(\d+))?/, (_, words: string, from: string, to?: string) =>
      [`${words}${Number(from) - above}`, ...(to === undefined ? [] : [`-${Number(to) - above}`])].join(""),
    );
}
