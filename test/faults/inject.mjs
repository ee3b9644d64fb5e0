// Loaded into a process under test with `node --import`: makes one system call on the state directory fail or hang. Every
// function of node:fs/promises and node:fs that takes a path below JEEVES_FAULTS_IN, and every method of a file that was
// opened there, is a point; points are counted per part (mode, meter, store, …), so that parts that work side by side do
// not disturb each other's count. Driven over the IPC channel, or for a process without one by JEEVES_FAULTS_ARM.
import fs from "node:fs";
import fsp from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const home = process.env.JEEVES_FAULTS_IN ?? "";
const CODES = ["EIO", "ENOSPC", "EACCES"];

/** How many calls each part has made since the last reset, and their names. */
let seen = {};
/** {part, at, how: "fail" | "hang"}: the call number `at` of that part, counted from 1. */
let armed = process.env.JEEVES_FAULTS_ARM ? JSON.parse(process.env.JEEVES_FAULTS_ARM) : undefined;
let fired;
const release = [];
const partOfHandle = new WeakMap();

function partOf(path) {
  const text = path instanceof URL ? path.pathname : Buffer.isBuffer(path) ? path.toString() : path;
  if (typeof text !== "string" || (text !== home && !text.startsWith(home + sep))) return undefined;
  const [base = "", name = ""] = text.slice(home.length + 1).split(sep);
  // <home>/state/<part>/…, <home>/tmp (the fallback directory), <home>/log (events).
  return base === "state" ? (name.startsWith(".") ? "dir" : name || "dir") : base || "dir";
}

/** What is to happen to this call. */
function next(part, name) {
  seen[part] ??= [];
  const at = seen[part].push(name);
  if (armed === undefined || armed.part !== part || armed.at !== at) return undefined;
  fired = name;
  return armed.how;
}

function failure(name) {
  const code = CODES[(armed?.at ?? 0) % CODES.length];
  return Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name });
}

/** Never settles while the fault is armed; then fails, as a mount that comes back does. */
function hang(name) {
  return new Promise((_, reject) => release.push(() => reject(failure(name))));
}

function wrapAsync(call, name, partFor) {
  return function (...args) {
    const part = partFor(this, args);
    const how = part === undefined ? undefined : next(part, name);
    if (how === "fail") return Promise.reject(failure(name));
    if (how === "hang") return hang(name);
    return call.apply(this, args);
  };
}

const byPath = (_, [path]) => partOf(path);
const byHandle = (handle) => partOfHandle.get(handle);

for (const [name, call] of Object.entries(fsp)) {
  if (typeof call !== "function" || /^[A-Z]/.test(name)) continue;
  const wrapped = wrapAsync(call, name, byPath);
  fsp[name] =
    name === "open"
      ? async (...args) => {
          const handle = await wrapped(...args);
          const part = partOf(args[0]);
          if (part === undefined) return handle;
          partOfHandle.set(handle, part);
          handle.close = wrapAsync(handle.close, "close", byHandle); // no method of the class
          return handle;
        }
      : wrapped;
}
{
  const handle = await fsp.open(process.execPath, "r");
  const methods = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of Object.getOwnPropertyNames(methods)) {
    const { value } = Object.getOwnPropertyDescriptor(methods, name);
    if (typeof value === "function" && !/^constructor|^get/.test(name))
      methods[name] = wrapAsync(value, name, byHandle);
  }
}
// Synchronous calls and those with a callback: a hang of the former stops the process, as the real one would.
for (const [name, call] of Object.entries(fs)) {
  if (typeof call !== "function" || /^[A-Z]|Stream$/.test(name)) continue;
  const isSync = name.endsWith("Sync");
  fs[name] = Object.assign(function (...args) {
    const part = partOf(args[0]);
    const how = part === undefined || name === "existsSync" ? undefined : next(part, name);
    if (how === "hang" && isSync) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (how === "fail" && isSync) throw failure(name);
    const done = args.at(-1);
    if (how === "hang") return release.push(() => done(failure(name)));
    if (how === "fail") return process.nextTick(done, failure(name));
    return call.apply(this, args);
  }, call);
}
syncBuiltinESMExports();

// Each fault comes two minutes after the last, so that what is left alone for a while after a failure is tried again.
let aheadMs = 0;
const { performance } = globalThis;
const now = performance.now.bind(performance);
performance.now = () => now() + aheadMs;

const LOOK_MS = 20;
const STILL_LOOKS = 5;
const MAX_LOOKS = 250;

/** What is done behind an answer is done: no call was made for a while. By this process' own turns, however busy it is. */
async function quiet() {
  const count = () => Object.values(seen).reduce((sum, names) => sum + names.length, 0);
  let before = count();
  for (let look = 0, still = 0; look < MAX_LOOKS && still < STILL_LOOKS && fired === undefined; look++) {
    await delay(LOOK_MS);
    still = count() === before ? still + 1 : 0;
    before = count();
  }
}

process.on("message", async (message) => {
  if ("arm" in message) {
    await quiet();
    aheadMs += 120_000;
    for (const end of release.splice(0)) end();
    const before = { fired, seen };
    [armed, seen, fired] = [message.arm ?? undefined, {}, undefined];
    process.send({ before });
  }
});
process.channel?.unref();
