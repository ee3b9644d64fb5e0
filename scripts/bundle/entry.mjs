// What every built entry (dist/NAME.js) is: the start of the bundle in chunks/, from bytecode where it fits.
//
// Parsing and compiling a server costs more than running its start, so the build runs each program once and keeps
// what V8 made of its chunks beside them (record.cjs). That of another Node or with other flags is not taken, and the
// chunk is compiled as usual: it is plain CommonJS, and this file only makes it faster. Node 20 has nothing of its own
// for this (module.enableCompileCache came with 22), and ES modules cannot be given bytecode at all.
//
// `CHUNK` is put in by the build. An ES module, because the importer of an entry waits until its program is over.
const { getBuiltinModule } = process;
const { closeSync, fstatSync, openSync, readSync } = getBuiltinModule("node:fs");
const { Script } = getBuiltinModule("node:vm");
const { crc32 } = getBuiltinModule("node:zlib");
const chunks = getBuiltinModule("node:url").fileURLToPath(new URL("./chunks/", import.meta.url));
const record = globalThis[Symbol.for("jeeves.record-chunk")];
const HEAD = "(function(exports,require,module,__filename,__dirname,__import){";
const TAIL = "\n})";
/** V8 looks at the version and the length, not at the content: damaged bytecode would end the process. */
const seed = crc32(`${process.version} ${process.arch} ${process.execPath}`);
const SUM_BYTES = 4;
const modules = new Map();
/** Every file is read into the same memory: what is thrown away at the start would stay with the process for long. */
let room = Buffer.allocUnsafeSlow(0);

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = `${chunks}${name}`;
  const source = read(filename, HEAD, TAIL).latin1Slice(); // the build writes ASCII alone
  const script = new Script(source, { filename, cachedData: bytecodeOf(filename) });
  record?.(filename, () => sealed(script.createCachedData()));
  script.runInThisContext()(module.exports, requireHere, module, filename, chunks, importHere);
  return module.exports;
}

function bytecodeOf(filename) {
  try {
    const file = read(`${filename}.bytecode`);
    const bytecode = file.subarray(0, -SUM_BYTES);
    return crc32(bytecode, seed) === file.readUInt32LE(bytecode.length) ? bytecode : undefined;
  } catch {
    return undefined;
  }
}

function sealed(bytecode) {
  const sum = Buffer.alloc(SUM_BYTES);
  sum.writeUInt32LE(crc32(bytecode, seed));
  return Buffer.concat([bytecode, sum]);
}

function read(filename, head = "", tail = "") {
  const file = openSync(filename);
  try {
    const { size } = fstatSync(file);
    const length = head.length + size + tail.length;
    if (room.length < length) room = Buffer.allocUnsafeSlow(length);
    room.latin1Write(head);
    const end = head.length + readSync(file, room, head.length, size);
    return room.subarray(0, end + room.latin1Write(tail, end));
  } finally {
    closeSync(file);
  }
}

/** For the chunks (bundle-package.mjs). */
function importHere(name) {
  return import(name);
}

function requireHere(name) {
  if (name.startsWith("./")) return load(name.slice(2));
  return getBuiltinModule(name) ?? getBuiltinModule("node:module").createRequire(chunks)(name);
}

const program = load("CHUNK");
room = Buffer.allocUnsafeSlow(0);
await program.ended;
