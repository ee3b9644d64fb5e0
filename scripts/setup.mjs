// What a bare clone needs before anything can run: the packages, and the bins that are older than their sources.
// Dependency-free on purpose: it runs before the first install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MIN_NODE = [20, 19];

export function say(text) {
  process.stderr.write(`jeeves: ${text}\n`);
}

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  say(`Node ${process.versions.node} is too old; ${MIN_NODE.join(".")} or newer is needed`);
  process.exit(2);
}

/** One hash of the names and contents of files. */
export function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Runs a command with its output on our stderr, so that the caller's stdout stays its own. */
export function run(command, args, { cwd = root, hint = "" } = {}) {
  const done = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32" && command === "npm",
  });
  if (done.error) {
    say(`${command} could not be started: ${done.error.message}`);
    process.exit(1);
  }
  if (done.status !== 0) {
    say(`${command} ${args.join(" ")} failed with exit code ${done.status ?? done.signal}${hint}`);
    process.exit(1);
  }
}

/** Installs the packages of `dir` when its lock file is not the one that was installed last. */
export function ensureInstalled(dir = root) {
  checkNode();
  const manifests = [join(dir, "package.json"), join(dir, "package-lock.json")];
  const wanted = `${process.version} ${hashOf(manifests)}`;
  const stamp = join(dir, "node_modules", ".jeeves-installed");
  if (readStamp(stamp) === wanted) return;
  say(`installing packages${dir === root ? "" : ` of ${dir.slice(root.length + 1)}`}`);
  // Not `npm ci`: it refuses a lock file without the optional binaries of other platforms, which a registry mirror may
  // not carry. `--no-save` installs what the lock file pins and leaves the file alone.
  // Without a network npm's own waits between its tries add up to half an hour.
  const tries = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=1000"];
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", ...tries], {
    cwd: dir,
    hint: "; the first start of a clone needs npm's registry, or a cache that has the packages",
  });
  writeFileSync(stamp, wanted);
}

/** Every file below a directory, in one order everywhere. */
export function filesUnder(dir) {
  const found = [];
  for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) found.push(...filesUnder(path));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** The files that the build depends on. */
export function sourcesOfBins() {
  const packages = join(root, "packages");
  const files = [
    join(root, "package.json"),
    join(root, "package-lock.json"),
    join(root, "scripts", "build.mjs"),
    join(root, "scripts", "build-viewer.mjs"),
    ...filesUnder(join(root, "scripts", "bundle")),
  ];
  for (const name of readdirSync(packages).sort()) {
    const src = join(packages, name, "src");
    if (existsSync(src) && statSync(src).isDirectory())
      files.push(join(packages, name, "package.json"), ...filesUnder(src));
  }
  return files;
}

/** Builds the bins when a source changed since the last build. */
export function ensureBuilt() {
  // With another Node, programs start without their bytecode (scripts/bundle/entry.mjs).
  const wanted = `${process.version} ${hashOf(sourcesOfBins())}`;
  const stamp = join(root, ".cache", "built");
  if (readStamp(stamp) === wanted && existsSync(join(root, "packages", "cli", "dist", "jeeves.js"))) return;
  say("building");
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}
