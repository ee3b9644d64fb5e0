// answers show the code that answers; through the researcher, on a project that was made for it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { onlyAsksWhere } from "../../src/evidence/asks-where.ts";
import { loadSettings } from "../../src/load-settings.ts";
import { referencesOf } from "../../src/report/artifact.ts";
import { type ResearchReport, researchReport } from "../../src/report/schema.ts";
import { createResearcher, type Researcher } from "../../src/researcher.ts";
import type { Constraints } from "../../src/settings.ts";
import { type MadeDir, makeProject, makeTempDir, TOKEN } from "../made-project.ts";

const LONG = Array.from({ length: 120 }, (_, i) => `    counter_${i} = compute_${i}(value)`).join("\n");
const MORE = {
  "src/ledger/limits.py": `from ledger.clock import current_window\n\n\nclass RateLimiter:\n    """Refuses callers that ask too often."""\n\n    def allow(self, caller):\n        window = current_window()\n        used = self.counts.get((caller, window), 0)\n        if used >= self.most:\n            return False\n        self.counts[(caller, window)] = used + 1\n        return True\n`,
  "src/ledger/clock.py": `import time\n\n\ndef current_window():\n    """The minute that is now."""\n    return int(time.time() // 60)\n`,
  "src/ledger/gate.ts": `export class DoorKeeper {\n  openGate(): void {\n    this.isOpen = true;\n  }\n\n  closeGate(): void {\n    this.isOpen = false;\n  }\n}\n`,
  "src/ledger/vault.py": `def lock_vault(key):\n    """Locks the vault.\n\n    Nobody may hold a lantern.\n    """\n    # like unlock_vault(key), the other way round\n    turned = key.turn()\n    return turned\n\n\ndef unlock_vault(key):\n    return key.turn_back()\n`,
  "src/ledger/totals.py": `def sum_totals(value):\n${LONG}\n    if value.is_negative:\n        raise NegativeTotal(value)\n    return value\n`,
};

let project: MadeDir;
let state: MadeDir;
let researcher: Researcher;

beforeAll(async () => {
  [project, state] = await Promise.all([makeProject(MORE), makeTempDir()]);
  const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots: [project.path] });
  researcher = createResearcher({ settings, env: { JEEVES_STATE_DIR: state.path } });
});
afterAll(async () => {
  await researcher.close();
  await Promise.all([project.remove(), state.remove()]);
});

async function ask(question: string, constraints: Constraints = {}): Promise<ResearchReport> {
  const { roots } = researcher.choose(undefined);
  const signal = new AbortController().signal;
  return researchReport.parse(await researcher.research({ question, roots, constraints, signal }));
}

const HOW = "How does the rate limiter refuse a caller that asks too often?";

describe("evidence", () => {
  it("X-68 shows the body that answers first, with the numbers and the words of its lines", async () => {
    const { evidence } = await ask(HOW);
    expect(evidence[0]?.reference).toMatch(/^src\/ledger\/limits\.py:\d+$/);
    expect(evidence[0]?.text).toContain("10         if used >= self.most:");
    for (const { reference, text } of evidence) {
      const source = (await readFile(join(project.path, reference.replace(/:\d+$/, "")), "utf8")).split("\n");
      for (const line of text.split("\n").filter((each) => each !== "…")) {
        const [, number, said] = /^(\d+) (.*)$/.exec(line) ?? [];
        if (said?.includes("[redacted]") !== true) expect(source[Number(number) - 1]).toBe(said);
      }
    }
  });

  it("X-68 follows one call into another file", async () => {
    const { evidence } = await ask(HOW);
    const hop = evidence.find(({ reference }) => reference.startsWith("src/ledger/clock.py:"));
    expect(hop?.text).toContain("return int(time.time() // 60)");
  });

  it("X-68 no reference is printed twice", async () => {
    for (const question of [
      HOW,
      "How are totals summed, and when is one refused?",
      "Show me examples of opening accounts",
    ]) {
      const report = await ask(question);
      const text = JSON.stringify(report);
      for (const reference of referencesOf(report).filter((one) => /:\d+$/.test(one))) {
        expect(text.split(`"${reference}"`).length - 1, `${question} ${reference}`).toBe(1);
      }
    }
  });

  it.each([300, 720, 1_500, 4_000])(
    "X-68 C-31 keeps to %i tokens, and more of them show more code",
    async (maxTokens) => {
      const small = await ask("How are totals summed, and when is one refused?", { maxTokens });
      expect(encode(JSON.stringify(small)).length).toBeLessThanOrEqual(maxTokens);
      const large = await ask("How are totals summed, and when is one refused?", { maxTokens: 8_000 });
      expect(JSON.stringify(large.evidence).length).toBeGreaterThanOrEqual(JSON.stringify(small.evidence).length);
    },
  );

  it("X-68 the code of one file stands under one reference, in order, without blank lines and lone brackets", async () => {
    const { evidence } = await ask("How does the door keeper open and close the gate?");
    const [gate, ...others] = evidence.filter(({ reference }) => reference.startsWith("src/ledger/gate.ts:"));
    expect(others).toEqual([]);
    const lines = gate?.text.split("\n") ?? [];
    expect(lines).toEqual([...lines].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)));
    expect(gate?.text).toContain("3     this.isOpen = true;\n6   closeGate(): void {");
    expect(gate?.text).not.toMatch(/^\d+ [\s{}();]*$/m);
  });

  it("X-68 of documentation the first line is shown, and what it names is not said to be called", async () => {
    const { evidence, analyzer } = await ask("How is the vault locked with a key?");
    const vault = evidence.find(({ reference }) => reference.startsWith("src/ledger/vault.py:"));
    expect(vault?.text).toContain("Locks the vault.");
    expect(vault?.text).toContain("turned = key.turn()");
    expect(vault?.text).not.toContain("lantern");
    expect(analyzer).toMatchObject({ status: "ok", value: { key_findings: [] } });
  });

  it("X-68 a long body is pruned to what answers, and says where lines were left out", async () => {
    const { evidence } = await ask("When does sum_totals raise an error for a negative value?");
    const [best] = evidence;
    expect(best?.text).toContain("raise NegativeTotal(value)");
    expect(best?.text).toContain("…");
  });

  it("X-68 C-40 the code that is shown is redacted", async () => {
    const report = await ask("How is a mail message delivered with the api token?");
    expect(JSON.stringify(report)).not.toContain(TOKEN);
    expect(report.evidence[0]?.reference).toMatch(/^src\/ledger\/mailer\.py:\d+$/);
  });

  it("C-49 a question that only asks where gets references and no code", async () => {
    const report = await ask("Where is the rate limiter implemented?");
    expect(report.evidence).toEqual([]);
    expect(report.analyzer).toBeUndefined();
    expect(report.locator).toMatchObject({
      value: { references: expect.arrayContaining([expect.stringMatching(/limits/)]) },
    });
  });

  it.each([
    ["Where is X implemented?", true],
    ["In which file is the session signed?", true],
    ["Find the files for invoices", true],
    ["Where is X and how does it work?", false],
    ["How does X know where to look?", false],
    ["What happens when a caller asks too often?", false],
  ])("C-49 %j only asks where: %s", (question, expected) => {
    expect(onlyAsksWhere(question)).toBe(expected);
  });
});
