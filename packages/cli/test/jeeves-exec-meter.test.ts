// What the meter says of commands, and what follows from it: the same search again, and what was made visible.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMeter, type MeterEntry } from "@jeeves/cut";
import { describe, expect, it } from "vitest";
import { dir, envOf, file, run } from "./jeeves-exec-given.ts";

const JEEVES = fileURLToPath(new URL("../dist/jeeves.js", import.meta.url));
/** Claude Code shows 2,000 characters of an output as long as this. */
const CALLS = Array.from(
  { length: 3_000 },
  (_, i) => `  const total${i} = computeInvoice(rows, ${i}); // of one invoice\n`,
);
const SEARCH = "grep -n computeInvoice calls.ts";
const FAILED = [
  ...Array.from({ length: 900 }, (_, i) => `tests/test_ok_${i % 9}.py::test_case_${i} PASSED`),
  "=================================== FAILURES ===================================",
  "__________________________________ test_bill ___________________________________",
  "    def test_bill():",
  ">       assert total() == 9",
  "E       assert 7 == 9",
  "tests/test_bill.py:90: AssertionError",
  ...Array.from({ length: 300 }, (_, i) => `DeprecationWarning: call ${i} of the api in module ${i % 9}`),
  "========================= 1 failed, 900 passed in 3.21s =========================\n",
].join("\n");

/** A session of its own in a state directory of its own. */
function session(name: string, mode = "on") {
  file("calls.ts", CALLS.join(""));
  file("failed.log", FAILED);
  const env = { JEEVES_STATE_DIR: join(dir, `${name} ${mode}`), JEEVES_MODE: mode };
  const args = ["--client=claude-code", `--session=${name}`];
  return {
    meter: createMeter(envOf(env)),
    entries: () => createMeter(envOf(env)).entriesOf(name),
    print: (command: string) => run(command, { env, args }).stdout.toString(),
    stats() {
      const ran = spawnSync(process.execPath, [JEEVES, "stats", "--json", "--since", "all"], { env: envOf(env) });
      return JSON.parse(ran.stdout.toString());
    },
  };
}
const isCut = (shown: string) => shown.includes("\n[rest: ");
const hasFailure = (shown: string) => isCut(shown) && shown.includes("E       assert 7 == 9\n");
const kindsOf = (entries: readonly MeterEntry[]) => entries.map(({ kind }) => kind);
const ABOUT = { client: "claude-code", tool: "Bash", project: dir, raw_tokens: 2_800, kept_tokens: 160 };

describe("the same search again", () => {
  it("X-57 comes back as the client shows it, so a session that won goes on", async () => {
    const { meter, entries, print } = session("again");
    for (let n = 0; n < 4; n++) await meter.record({ kind: "cut", session: "again", ...ABOUT, shown_tokens: 2_800 });
    expect(isCut(print(SEARCH))).toBe(true);
    expect(isCut(print(SEARCH))).toBe(false);
    const [searched, repeated] = (await entries()).slice(4);
    expect([searched?.kind, repeated?.kind]).toEqual(["cut", "repeated"]);
    expect(repeated?.raw_tokens).toBe(searched?.shown_tokens);
    expect(repeated?.raw_tokens).toBeLessThan(1_000);
    expect(hasFailure(print("cat failed.log; exit 1"))).toBe(true);
  });

  it("X-52 in shadow it counts as it would have: no second saving, and what would have come back", async () => {
    const [on, shadow] = [session("twice"), session("twice", "shadow")];
    for (const { print } of [on, shadow]) for (let n = 0; n < 2; n++) print(SEARCH);
    expect(kindsOf(await on.entries())).toEqual(["cut", "repeated"]);
    expect(kindsOf(await shadow.entries())).toEqual(["shadow", "missed"]);
    expect(on.stats().without_transcript.net).toBeLessThan(0);
    expect(shadow.stats().shadow_net).toBe(on.stats().without_transcript.net);
  });

  it("X-52 in shadow a session that would have been stopped counts no further", async () => {
    const { meter, entries, print } = session("lost", "shadow");
    for (let n = 0; n < 4; n++) {
      await meter.record({ kind: "shadow", session: "lost", ...ABOUT, shown_tokens: 400 });
      await meter.record({ kind: "missed", session: "lost", ...ABOUT });
    }
    print("cat failed.log; exit 1");
    expect(await entries()).toHaveLength(8);
  });
});

it("X-57 what was made visible is no sign of a loss: after four long searches a failure is still shown", async () => {
  const { entries, print } = session("visible");
  for (let n = 0; n < 40; n++) file(`module${n}.ts`, CALLS.slice(n * 75, n * 75 + 75).join(""));
  for (const word of ["computeInvoice", "compute", "Invoice", "total"])
    expect(isCut(print(`grep -n ${word} module*.ts`))).toBe(true);
  for (const { made_visible = 0, shown_tokens = 0, kept_tokens } of await entries()) {
    expect(made_visible).toBeGreaterThan(0);
    expect(kept_tokens).toBeGreaterThan(shown_tokens);
  }
  expect(hasFailure(print("cat failed.log; exit 1"))).toBe(true);
});
