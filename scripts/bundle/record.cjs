// Runs a built entry as if it had been started by itself, and at its end writes beside each chunk what V8 has compiled of
// it: the start, and whatever else ran. `node record.cjs ENTRY [ARGUMENT]...`
const { existsSync, renameSync, writeFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const { setFlagsFromString } = require("node:v8");

const bytecodes = new Map();
globalThis[Symbol.for("jeeves.record-chunk")] = (filename, make) => bytecodes.set(filename, make);
process.on("exit", () => {
  // A flag that a program sets for itself would be written into its bytecode, which then fits no process before that.
  setFlagsFromString("--semi-space-growth-factor=2");
  for (const [filename, make] of bytecodes) {
    const file = `${filename}.bytecode`;
    // Of a chunk that programs share, the one that was run first decides.
    if (existsSync(file)) continue;
    writeFileSync(`${file}.new`, make());
    renameSync(`${file}.new`, file);
  }
});
process.argv.splice(1, 1);
import(pathToFileURL(process.argv[1]).href);
