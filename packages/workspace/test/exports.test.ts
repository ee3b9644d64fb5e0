import { expect, it } from "vitest";
import * as exported from "../src/index.ts";

it("what others can import is exactly this", () => {
  expect(Object.keys(exported).sort()).toMatchInlineSnapshot(`
    [
      "MAX_PATH_CHARS",
      "WorkspaceError",
      "compileGlob",
      "createClientRules",
      "createPrivateRules",
      "currentDenyRules",
      "currentDir",
      "faultOfGlob",
      "findProject",
      "isInsideLexically",
      "isRepository",
      "joinRules",
      "killBackground",
      "openRoot",
      "parseJsonc",
      "readTextFile",
      "refusalOfPaths",
      "runCommand",
      "searchText",
    ]
  `);
});
