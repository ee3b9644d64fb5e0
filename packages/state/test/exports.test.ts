import { expect, it } from "vitest";
import * as exported from "../src/index.ts";

it("what others can import is exactly this", () => {
  expect(Object.keys(exported).sort()).toMatchInlineSnapshot(`
    [
      "BOOKKEEPING_WAIT_MS",
      "STORE_WAIT_MS",
      "StateError",
      "belongsTo",
      "createDiskStore",
      "createJournal",
      "createMemoryStore",
      "currentProcess",
      "ensureUserToken",
      "fallbackStateDir",
      "findStoredFile",
      "findUserToken",
      "guarded",
      "hasOverdueWork",
      "homeOf",
      "isProcessIdentity",
      "isPruneId",
      "livenessOf",
      "makeDirs",
      "notedFallbackDirs",
      "onStateFault",
      "openFallbackDir",
      "openPlainFile",
      "othersWait",
      "outlivingMark",
      "privateNamesIn",
      "privatePlaces",
      "pruneIdOf",
      "readJournal",
      "readPlainFile",
      "reportFault",
      "resolveDataDir",
      "resolveStateDir",
      "storeLimitOf",
      "tailJournal",
      "toOutlivingEnv",
      "waitMsOf",
      "withLock",
      "writeFileAtomic",
    ]
  `);
});
