import { createTreeSitterGrammars } from "@jeeves/prune/grammars";
import { afterEach, describe, expect, it } from "vitest";
import { createMeter, cutCommandOutput } from "../src/index.ts";
import { given, makeSource } from "./given.ts";

const source = makeSource();
const made: Awaited<ReturnType<typeof given>>[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

async function cutOf(command: string, text: string, limits: { maxCutMs?: number } = {}): Promise<string> {
  const one = await given();
  made.push(one);
  const { dir, env, store } = one;
  const about = { session: "s1", project: dir, signal: new AbortController().signal };
  const cut = await cutCommandOutput(
    { command, text, passedOnBytes: 0, exitCode: 0, client: "claude-code", ...about },
    { store, meter: createMeter(env), env, loadGrammars: async () => createTreeSitterGrammars(), ...limits },
  );
  return cut?.rest.toString("utf8") ?? text;
}

describe("what a command printed", () => {
  it.each(["nl -ba a.ts", "cat -n a.ts"])(
    "%s is cut as the file is, each kept line with its number",
    async (command) => {
      const numbered = source
        .split("\n")
        .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
        .join("\n");
      const lines = (await cutOf(command, numbered)).trimEnd().split("\n");
      expect(lines.length).toBeGreaterThan(5);
      expect(lines.length).toBeLessThan(source.split("\n").length / 2);
      for (const line of lines.slice(0, -1)) expect(line).toMatch(/^ *\d+\t|^⟦… \d+ lines/);
      expect(lines.at(-1)).toMatch(/recover_text prn_/);
    },
  );

  it.each(["cd api && cat a.ts", "FORCE_COLOR=0 timeout 9 cat a.ts"])(
    "%s is cut as `cat a.ts` is: where it runs changes nothing about what it prints",
    async (command) => {
      const withoutLastLine = (text: string) => text.trimEnd().split("\n").slice(0, -1);
      expect(withoutLastLine(await cutOf(command, source))).toEqual(withoutLastLine(await cutOf("cat a.ts", source)));
    },
  );

  it("what cannot be cut in time is shown whole", async () => {
    expect(await cutOf("cat a.ts", source, { maxCutMs: -1 })).toBe(source);
    expect(await cutOf("cat a.ts", source)).not.toBe(source);
  });

  it("X-21 X-52 a stored text that a command prints comes back whole, and counts as asked for again", async () => {
    expect(await cutOf("cat /state/store/a/prn_abcdefghijkl.txt", source)).toBe(source);
    expect(await made.at(-1)?.meterKinds()).toEqual(["recovered"]);
  });
});
