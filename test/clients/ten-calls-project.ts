// The project of the ten calls: its files, pages and history are long, the same in every run, and some hold a failure.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FOCUS, makeSource } from "../../bench/made-source.mjs";
import { createInterceptProject, FAILURES, type InterceptProject } from "./intercept-project.ts";

/** What the agent is asked; the failures are about the same. */
export const PROMPT = FOCUS;
export const EDIT = { before: "const FIRST_DELAY_MS = 250;", after: "const FIRST_DELAY_MS = 500;" } as const;
/** Each is somewhere in the middle of what is printed. */
export const TEST_FAILURES: readonly string[] = FAILURES.flat();
export const NEW_FAILURE = " FAIL  test/first-delay.test.ts > the first delay is a quarter of a second";
export const PAGE_FAILURE = "ERROR deploy/eu-west-2: certificate for api.example.com expired on 2026-11-02";

const FUNCTIONS = 120;
const STEPS = 1_500;
const COMMITS = 200;
const [CALLING_FILES, CALLS_IN_FILE] = [30, 8];
const NOUNS = ["invoice", "parcel", "tenant", "ledger", "voucher", "shelf", "driver"];

export async function createTenCallsProject(): Promise<InterceptProject> {
  const project = await createInterceptProject();
  const { root, log } = project;
  const put = (name: string, text: string) => writeFile(join(root, name), text);
  await put("src/deliveries.ts", makeSource({ functionCount: FUNCTIONS }));
  await put(
    "rerun.log",
    log.replace("\n Test Files", `\n${NEW_FAILURE}\nAssertionError: expected 500 to be 250\n\n Test Files`),
  );
  // What it prints depends on the edit.
  await put(
    "run-tests.sh",
    `if grep -q '${EDIT.after}' src/deliveries.ts; then cat rerun.log; else cat test.log; fi\nexit 1\n`,
  );
  const steps = Array.from(
    { length: STEPS },
    (_, i) => `12:${10 + (i % 50)} copied part ${i * 7} of release ${i % 9} to the mirror`,
  );
  await put("page.txt", [...steps.slice(0, STEPS / 2), PAGE_FAILURE, ...steps.slice(STEPS / 2)].join("\n"));
  await mkdir(join(root, "src/calls"));
  for (let file = 0; file < CALLING_FILES; file++) await put(`src/calls/area-${10 + file}.ts`, callingFile(file));
  makeHistory(root);
  return project;
}

/** Call sites, of which one in the middle is about what the agent is asked. */
function callingFile(file: number): string {
  const calls = Array.from({ length: CALLS_IN_FILE }, (_, index) => {
    const noun = NOUNS[(file * CALLS_IN_FILE + index) % NOUNS.length];
    const isAsked = file === CALLING_FILES / 2 && index === 3;
    const why = isAsked ? "a failed delivery is tried again" : `the ${noun} list is loaded page by page`;
    return `export async function ${noun}Page${index}() {\n  await pause(retryDelayMs(${index}), { reason: "${why}" });\n}\n`;
  });
  return calls.join("\n");
}

/** Commits of the same words and times in every run, so that their names are the same. */
function makeHistory(root: string): void {
  execFileSync("git", ["init", "--quiet", "-b", "main"], { cwd: root });
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    const words = `Handle case ${index} of deliveries\n\nA delivery of ${index * 37} parcels was taken for one that had failed.\n`;
    return [
      "commit refs/heads/main",
      `committer Ada <ada@example.com> ${1_700_000_000 + index * 3_600} +0000`,
      `data ${Buffer.byteLength(words)}`,
      words,
    ].join("\n");
  });
  execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: `${commits.join("\n")}\n` });
}
