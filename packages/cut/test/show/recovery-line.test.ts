import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { hasRecoveryLine, recoveredByOf, recoveryLine, toShortPath } from "../../src/show/recovery-line.ts";

const ID = "prn_abcdefghijkl";
const HOME = { HOME: "/home/me" };
const STORE = "/home/me/.local/state/jeeves/store";
const tokensOf = (text: string) => encode(text).length;

it("X-20 the last line is at most 25 tokens, whatever the id, and those of the store's directory where it names one", () => {
  for (let index = 0; index < 300; index++) {
    const pruneId = `prn_${Array.from({ length: 12 }, (_, at) => "abcdefghijklmnopqrstuvwxyz234567"[(index * 31 + at * 17 + index ** 2) % 32]).join("")}`;
    for (const isWholeFile of [true, false]) {
      for (const isWeak of [true, false]) {
        expect(tokensOf(recoveryLine({ pruneId, isWholeFile, isWeak }))).toBeLessThanOrEqual(25);
        const file = toShortPath(`${STORE}/${pruneId.charAt(4)}/${pruneId}.txt`, HOME);
        const line = recoveryLine({ pruneId, isWholeFile, isWeak, file });
        expect(tokensOf(line)).toBeLessThanOrEqual(25 + (isWholeFile ? 0 : tokensOf(toShortPath(STORE, HOME))));
      }
    }
  }
});

it("X-20 the client's own Read: of a file its lines, of any other text those of the stored file", () => {
  const hint = { pruneId: ID, isWeak: false, file: `~/store/a/${ID}.txt` };
  expect(recoveryLine({ ...hint, isWholeFile: true })).toBe(`[rest: Read by lines; ${ID}]`);
  expect(recoveryLine({ ...hint, isWholeFile: false })).toBe(`[rest: Read ~/store/a/${ID}.txt by lines]`);
  expect(recoveryLine({ ...hint, isWholeFile: false, isWeak: true })).toMatch(/^\[weak match; rest: Read /);
});

it("a text that ends in such a line was cut before; one that only speaks of an id was not", () => {
  for (const isWholeFile of [true, false])
    for (const isWeak of [true, false])
      for (const file of [{}, { file: `/${"deep/".repeat(300)}${ID}.txt` }])
        expect(hasRecoveryLine(`text\n${recoveryLine({ pruneId: ID, isWholeFile, isWeak, ...file })}\n`)).toBe(true);
  expect(hasRecoveryLine(`[rest: recover_text ${ID}]\nand more`)).toBe(false);
  expect(hasRecoveryLine(`see ${ID}`)).toBe(false);
});

it("a path below the home is written with ~, any other as it is", () => {
  expect(toShortPath("/home/me/a b/c.txt", HOME)).toBe("~/a b/c.txt");
  for (const path of ["/home/meow/c.txt", "/tmp/c.txt", "/home"]) expect(toShortPath(path, HOME)).toBe(path);
});

it("JEEVES_RECOVERY=file is the only word that takes the tool's place", () => {
  expect(recoveredByOf({ JEEVES_RECOVERY: " File " })).toBe("file");
  for (const env of [{}, { JEEVES_RECOVERY: "" }, { JEEVES_RECOVERY: "tool" }]) expect(recoveredByOf(env)).toBe("tool");
});
