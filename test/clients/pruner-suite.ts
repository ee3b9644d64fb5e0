// What a real client's model gets from mcp-pruner: one suite that every client must pass. One run per client, because a
// client is slow to start; each test then looks at what the model saw in it.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placesIn, placesOf } from "../../packages/cut/test/search/match-places.ts";
import type { Agent, AgentOutcome } from "./agent.ts";
import type { Block } from "./cut-text.ts";
import { blocksOf, parseMarker } from "./cut-text.ts";
import type { FixtureProject, LongOutput } from "./fixture-project.ts";
import { createFixtureProject } from "./fixture-project.ts";
import type { Conversation, Turn } from "./scripted-model.ts";

const SERVER = "pruner";
const TOOLS = ["read", "bash", "grep", "recover_text"];
const MAX_CLOSING_TOKENS = 25;

export function describePruner(agent: Agent): void {
  describe(`mcp-pruner in the ${agent.name}`, () => {
    let project: FixtureProject;
    let outcome: AgentOutcome;

    beforeAll(async () => {
      project = await createFixtureProject();
      const { root: cwd, home, server } = project;
      const script = writeScript(agent, project);
      outcome = await agent.run({ prompt: "Look around.", script, cwd, home, servers: { [SERVER]: server } });
    });
    afterAll(() => project?.remove());

    /** What the model read after the n-th call of our server. */
    function shownText(callIndex: number): string {
      const output = outcome.seen.outputs.filter(({ call }) => call.server === SERVER)[callIndex];
      const parts = agent.ownParts(output?.parts ?? []);
      expect(parts).toHaveLength(1);
      return parts[0] ?? "";
    }

    it("X-02 the model is offered read, bash, grep and recover_text, and no other tool of this server", () => {
      const listed = outcome.seen.tools.filter(({ server }) => server === SERVER);
      expect(listed.map(({ tool }) => tool).sort()).toEqual([...TOOLS].sort());
      for (const { description } of listed) expect(description).not.toBe("");
      // A client that defers tools names them in its instructions, and all of them.
      const named = [...outcome.seen.instructions.matchAll(/mcp__pruner__(\w+)/g)].map(([, name]) => name);
      expect(named.filter((name) => !TOOLS.includes(name ?? ""))).toEqual([]);
    });

    it("X-22 the model is told what the question and the markers are for", () => {
      expect(outcome.seen.instructions).toMatch(/context_focus_question.+⟦….+recover_text/s);
    });

    it("J-08 without a question the model reads the whole file, as plain text and once", () => {
      expect(shownText(CALLS.small)).toBe(project.smallFile.text);
    });

    it("J-30 a file that is not there is said in words, not in JSON", () => {
      const text = shownText(CALLS.missing);
      expect(text).toMatch(/no-such-file\.ts|not found|not_found/i);
      expect(text).not.toMatch(/^\s*[{[]/);
    });

    describe.each([0, 1])("X-51 a bash output longer than any client displays, exit code %i", (exitCode) => {
      it("is cut by us, with a way back, before the client cuts its middle out", () => {
        const long = project.hugeOutputs[exitCode];
        if (long === undefined) throw new Error(`the project has no huge output with exit code ${exitCode}`);
        const { shown, trailer, closing } = apart(shownText(CALLS.huge(exitCode)), long);
        expect(blocksOf(shown, long.rawLines).length).toBeGreaterThan(0);
        expect(trailer).toEqual(long.trailer);
        expect(closing).toMatch(/recover_text prn_[a-z2-7]{12}/);
      });
    });

    describe.each(["read", "grep", "bash"] as const)("%s with a question", (tool) => {
      function look() {
        const index = project.longOutputs.findIndex((long) => long.tool === tool);
        const long = project.longOutputs[index];
        if (long === undefined) throw new Error(`the project has no long output of ${tool}`);
        return { long, ...apart(shownText(CALLS.cut(index)), long), recovered: shownText(CALLS.recovery(index)) };
      }

      it("X-20 the model sees the original's lines and a marker for every block between them", () => {
        const { long, shown, trailer } = look();
        const blocks = blocksOf(shown, long.rawLines);
        expect(blocks.length).toBeGreaterThan(0);
        expect(trailer).toEqual(long.trailer);
        const droppedCount = blocks.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
        expect(droppedCount).toBeGreaterThan(long.rawLines.length / 4);
      });

      it("X-20 the answer is among the kept lines", () => {
        const { long, shown } = look();
        expect(shown).toContain(long.answer);
      });

      it("X-20 the last line says the way back in at most 25 tokens", () => {
        const { closing } = look();
        expect(closing).toMatch(/recover_text prn_[a-z2-7]{12}/);
        expect(countTokens(closing)).toBeLessThanOrEqual(MAX_CLOSING_TOKENS);
      });

      it("X-21 recover_text brings lines of the first block back exactly as they were", () => {
        const { long, shown, recovered } = look();
        const [first] = blocksOf(shown, long.rawLines);
        if (first === undefined) throw new Error("nothing was left out");
        const { startLine, endLine } = headOf(first);
        expect(recovered).toBe(long.rawLines.slice(startLine - 1, endLine).join("\n"));
      });
    });

    it("X-58 grep with a question names every match", () => {
      const index = project.longOutputs.findIndex(({ tool }) => tool === "grep");
      expect(placesIn(shownText(CALLS.cut(index)))).toEqual(placesOf(project.longOutputs[index]?.rawLines ?? []));
    });

    it("the run ends with the model's last words", () => {
      expect(outcome.finalText).toBe(LAST_WORDS);
    });
  });
}

const LAST_WORDS = "That is all.";

/** Where each call of our server stands in the script. */
const CALLS = {
  small: 0,
  missing: 1,
  huge: (index: number) => 2 + index,
  cut: (index: number) => 4 + 2 * index,
  recovery: (index: number) => 5 + 2 * index,
};

const LIST_HEAD = /^\[\d+ more match(?:es)?, path/;

/** The output itself, the list of further matches or what else the tool adds below it, and the last line. */
function apart(text: string, long: LongOutput) {
  const lines = text.split("\n");
  const list = lines.findIndex((line) => LIST_HEAD.test(line));
  const below = lines.length - 1 - long.trailer.length;
  return {
    shown: lines.slice(0, list < 0 ? below : list),
    trailer: lines.slice(below, -1),
    closing: lines.at(-1) ?? "",
  };
}

function writeScript(agent: Agent, project: FixtureProject): Turn[] {
  const call = (tool: string) => ({ server: SERVER, tool });
  return [
    ...agent.findTools(SERVER, TOOLS),
    { call: call("read"), with: { file_path: project.smallFile.path } },
    { call: call("read"), with: { file_path: "src/no-such-file.ts" } },
    ...project.hugeOutputs.map((huge): Turn => ({ call: call(huge.tool), with: huge.arguments })),
    ...project.longOutputs.flatMap((long): Turn[] => [
      { call: call(long.tool), with: long.arguments },
      { call: call("recover_text"), with: recoverFirstBlock },
    ]),
    { say: LAST_WORDS },
  ];
}

/** What a model would do: take the id from the last line and the range from a marker. Where there is none, it asks in
 * vain and the run goes on, so that the tests can show the text that was lacking. */
function recoverFirstBlock(seen: Conversation): { readonly prune_id: string; readonly ranges: readonly object[] } {
  const lines = seen.outputs.at(-1)?.parts.at(-1)?.split("\n") ?? [];
  const block = lines.map(parseMarker).find((found) => found !== undefined);
  const pruneId = /prn_[a-z2-7]{12}/.exec(lines.at(-1) ?? "")?.[0];
  if (block === undefined || pruneId === undefined) return { prune_id: "none", ranges: [] };
  const { startLine, endLine } = headOf(block);
  return { prune_id: pruneId, ranges: [{ start_line: startLine, end_line: endLine }] };
}

/** Few enough lines for one answer of every client: pages have tests of their own in the package. */
function headOf({ startLine, endLine }: Block): Block {
  return { startLine, endLine: Math.min(endLine, startLine + 39) };
}
