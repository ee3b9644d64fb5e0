// How packages whose main file does not bundle are found: jsonc-parser.
// Its main file is in a form (UMD) whose parts cannot be found in a bundle; its ES modules can.
export const alias = { "jsonc-parser": "jsonc-parser/lib/esm/main.js" };
