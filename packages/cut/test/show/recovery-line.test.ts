import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { recoveryLine } from "../../src/show/recovery-line.ts";

it("X-20 the last line is at most 25 tokens, whatever the id", () => {
  for (let index = 0; index < 300; index++) {
    const pruneId = `prn_${Array.from({ length: 12 }, (_, at) => "abcdefghijklmnopqrstuvwxyz234567"[(index * 31 + at * 17 + index ** 2) % 32]).join("")}`;
    for (const isWholeFile of [true, false]) {
      for (const isWeak of [true, false]) {
        expect(encode(recoveryLine({ pruneId, isWholeFile, isWeak })).length).toBeLessThanOrEqual(25);
      }
    }
  }
});
