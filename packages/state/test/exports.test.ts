import { expect, it } from "vitest";
import * as exported from "../src/index.ts";

it("what others can import is exactly this", () => {
  expect(Object.keys(exported).sort()).toMatchInlineSnapshot(`
    [
      "StateError",
      "createDiskStore",
      "createJournal",
      "createMemoryStore",
      "currentProcess",
      "fallbackStateDir",
      "isProcessIdentity",
      "isPruneId",
      "livenessOf",
      "makeDirs",
      "othersWait",
      "outlivingMark",
      "pruneIdOf",
      "readJournal",
      "resolveDataDir",
      "resolveStateDir",
      "storeLimitOf",
      "tailJournal",
      "toOutlivingEnv",
      "withLock",
      "writeFileAtomic",
    ]
  `);
});
