// How packages whose main file does not bundle well are found.
import { join } from "node:path";
import { root } from "../setup.mjs";

export const alias = {
  // Its main file is in a form (UMD) whose parts cannot be found in a bundle; its ES modules can.
  "jsonc-parser": "jsonc-parser/lib/esm/main.js",
  // Without its validator of JSON Schema, the SDK is a third smaller; the file explains why that is enough.
  "@modelcontextprotocol/server/_shims": join(root, "packages/kit/src/mcp/sdk/no-json-schema.ts"),
};
