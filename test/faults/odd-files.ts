// What may lie in the place of a file of the state directory, and where; run as an ordinary user, as root too.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { BINS, makePlaces, type Places } from "./faulty-process.ts";

export const NOBODY = 65_534;
export const isRoot = process.getuid?.() === 0;
/** Root may read everything, so as root the program runs as another user, where that user can read the clone. */
const READ = "require('node:fs').readFileSync(process.argv[1])";
export const canBeForeign =
  !isRoot || spawnSync(process.execPath, ["-e", READ, BINS.stdio], { uid: NOBODY, cwd: "/" }).status === 0;

export const ODD: Readonly<Record<string, (path: string) => void>> = {
  "a directory": (path) => mkdirSync(path),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "an endless device": (path) => symlinkSync("/dev/zero", path),
  "a full device": (path) => symlinkSync("/dev/full", path),
  "a link that leads nowhere": (path) => symlinkSync("/nowhere/at/all", path),
  "a file of five gigabytes": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 5e9);
  },
  ...(canBeForeign
    ? {
        "an unreadable file": (path: string) => {
          writeFileSync(path, "off\n", { mode: 0o600 });
          if (!isRoot) chmodSync(path, 0);
        },
      }
    : {}),
};

export function months(): string[] {
  return [0, 60_000].map((aheadMs) => new Date(Date.now() + aheadMs).toISOString().slice(0, 7));
}

export const SPOTS: Readonly<Record<string, readonly string[]>> = {
  mode: ["mode"],
  "this month's meter": [...new Set(months())].map((month) => `meter/${month}.jsonl`),
  "the meter": ["meter"],
  "the store": ["store"],
  "the store's usage": ["store/usage"],
  "the store's last sweep": ["store/swept"],
  "the store's locks": ["store/locks"],
  "the state directory": ["."],
};

/** An ordinary state directory with `make`'s thing in it; all of it is the user's own but for that. */
export function spoil({ state }: Places, spots: readonly string[], make: (path: string) => void): void {
  rmSync(state, { recursive: true, force: true });
  for (const spot of spots) {
    const path = join(state, spot);
    for (const dir of spot === "." ? [] : [state, dirname(path)]) {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      if (isRoot && canBeForeign) chownSync(dir, NOBODY, NOBODY);
    }
    make(path);
  }
}

export function givenPlaces(more: Readonly<Record<string, string>> = {}): Places {
  const places = makePlaces({ JEEVES_STATE_WAIT_MS: "", JEEVES_EVENT_LOG: "", ...more });
  const base = dirname(places.home);
  if (isRoot && canBeForeign)
    for (const dir of [base, places.home, places.state, places.root, join(places.home, "tmp")])
      chownSync(dir, NOBODY, NOBODY);
  made.push(places);
  return places;
}
const made: Places[] = [];
afterAll(() => {
  for (const places of made) places.remove();
});
export const asUser = isRoot && canBeForeign ? { uid: NOBODY } : {};

export const LOG = Array.from({ length: 400 }, (_, i) =>
  i === 200
    ? "ERROR worker 910 lost its job: connection reset by peer"
    : `worker ${i * 7} took job ${i} from the queue`,
);
export const QUESTION = "which worker lost its job?";
