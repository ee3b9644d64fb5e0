// One run of one engine. It ends as soon as there are enough matches. The result is undefined where the
// engine could not be started, so that the next one is tried (J-45).
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { createLineReader, type LineBlock, shownText, systemCodeOf, textLinesOf } from "@jeeves/base";
import { endGroup, spawnError, startGroup } from "../command/process-group.ts";
import { SNIFF_BYTES } from "../read-text-file.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { type EngineName, grepArguments, rgArguments, type SearchWords } from "./engines.ts";
import { compareMatches, parseGrepLine } from "./grep-lines.ts";
import { createMatchLimit, type Match } from "./match.ts";
import { type Finding, parseRgLine } from "./rg-events.ts";
import type { LineVerifier } from "./verify-lines.ts";

const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** grep's matches must be sorted before the limits apply, so they are kept in memory; beyond this the search stops. */
const MAX_HELD_CHARS = 64 * 1024 * 1024;
const MAX_STDERR_CHARS = 4096;
/** After so many matches that their files no longer have, the search stops: the tree changes too fast. */
const MAX_UNVERIFIED = 10_000;

interface EngineRun extends SearchWords {
  readonly engine: EngineName;
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly maxMatches: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /** Whether the deny list hides a path; its matches are left out without a trace. */
  isHidden(path: string): boolean;
  readonly verifier: LineVerifier;
}

/** What one engine found, within the limits. */
export interface Found {
  readonly matches: readonly Match[];
  readonly matchCount: number;
  readonly truncated: boolean;
  /** Matches that were left out because their files no longer had them. */
  readonly unverified: number;
}

/**
 * Rejects with a WorkspaceError: `timeout`, or `rg_error` with the engine's message, as for an invalid pattern. An abort
 * rejects with the signal's reason.
 */
export async function runEngine(run: EngineRun): Promise<Found | undefined> {
  const reader = run.engine === "grep" ? createGrepReader(run) : createRgReader(run);
  const ended = await runChild(run, reader);
  if (ended.kind === "not_started") return undefined;
  run.signal?.throwIfAborted();
  if (ended.kind === "timeout") {
    throw new WorkspaceError("timeout", `the search took longer than ${run.timeoutMs} ms`, {
      hint: "name fewer paths, or a longer timeout_ms",
    });
  }
  if (ended.kind === "failed") {
    const wantsNoNul = run.nulAfterPath === undefined && /option.*null/.test(ended.stderr);
    if (wantsNoNul && run.contextLines === 0) return runEngine({ ...run, nulAfterPath: false }); // context needs the NUL
    throw new WorkspaceError("rg_error", whatWasSaid(ended.stderr.trim()) || `ended with ${ended.exitCode}`, {
      hint: "check the pattern and the paths; fixed_string searches for the words as they are",
      exitCode: ended.exitCode,
    });
  }
  return reader.result();
}

/** Messages about a pattern keep their lines. All others may contain file names, and become one line. */
function whatWasSaid(stderr: string): string {
  const isPattern = /^(?:rg: )?(?:regex parse error|the literal )/.test(stderr);
  return isPattern ? stderr.split("\n").map(shownText).join("\n") : shownText(stderr);
}

interface Reader {
  /** Returns false when no more lines are needed. */
  onLine(line: string): boolean;
  /** Called in place of a line that is too long to be read; it is left out. */
  onTooLong(): void;
  result(): Found;
}

function createRgReader(run: EngineRun): Reader {
  const limit = createMatchLimit(run);
  let tooLong = false;
  let unverified = 0;
  return {
    onLine(line) {
      const finding = parseRgLine(line);
      if (finding === undefined || run.isHidden(finding.match.path)) return true;
      if (run.verifier.verify(finding.found)) return limit.add(finding.match);
      if (finding.match.context === undefined) unverified++;
      return unverified < MAX_UNVERIFIED;
    },
    onTooLong() {
      tooLong = true;
    },
    result: () => ({
      matches: limit.matches,
      matchCount: limit.matchCount,
      truncated: limit.truncated || tooLong || unverified >= MAX_UNVERIFIED,
      unverified,
    }),
  };
}

function createGrepReader(run: EngineRun): Reader {
  const held: Finding[] = [];
  let heldChars = 0;
  let overflow = false;
  let last = { path: "", binary: false }; // grep prints the lines of a file together
  return {
    onLine(line) {
      const finding = parseGrepLine(line, run);
      if (finding === undefined || run.isHidden(finding.match.path)) return true;
      const { path } = finding.match;
      if (path !== last.path) last = { path, binary: isBinary(join(run.cwd, path)) };
      if (last.binary) return true;
      held.push(finding);
      heldChars += line.length;
      if (heldChars <= MAX_HELD_CHARS) return true;
      overflow = true;
      return false;
    },
    onTooLong() {
      overflow = true;
    },
    result() {
      const limit = createMatchLimit(run);
      let unverified = 0;
      held.sort((a, b) => compareMatches(a.match, b.match));
      for (const { match, found } of held) {
        if (run.verifier.verify(found)) {
          if (!limit.add(match)) break;
        } else if (match.context === undefined) unverified++;
      }
      const truncated = limit.truncated || overflow;
      return { matches: limit.matches, matchCount: limit.matchCount, truncated, unverified };
    },
  };
}

/** By the same test as readTextFile. */
function isBinary(file: string): boolean {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const start = Buffer.alloc(SNIFF_BYTES);
      return start.subarray(0, readSync(fd, start)).includes(0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false; // gone, or its name is no UTF-8
  }
}

type Ended =
  | { readonly kind: "done" | "not_started" | "timeout" }
  | { readonly kind: "failed"; readonly exitCode: number; readonly stderr: string };

async function runChild(run: EngineRun, reader: Reader): Promise<Ended> {
  run.signal?.throwIfAborted(); // right before the listener below: an abort in between would be missed
  const args = run.engine === "grep" ? grepArguments(run) : rgArguments(run);
  const group = startGroup(run.program, args, { cwd: run.cwd, env: engineEnv(run.env) });
  const { child } = group;
  let stoppedBy: "enough" | "timeout" | "abort" | undefined;
  let ending: Promise<void> | undefined;
  const stop = (why: "enough" | "timeout" | "abort") => {
    stoppedBy ??= why;
    ending ??= endGroup(group.id);
  };
  const onAbort = () => stop("abort");
  const timer = setTimeout(() => stop("timeout"), run.timeoutMs);
  run.signal?.addEventListener("abort", onAbort, { once: true });
  const lines = createLineReader({ maxBytes: MAX_LINE_BYTES });
  const encoding = run.engine === "grep" ? "latin1" : "utf8"; // grep prints bytes of any encoding
  /** Returns false when no more output is needed. */
  const read = (blocks: readonly LineBlock[]): boolean =>
    blocks.every((block) => {
      if (block.kind === "lines") return textLinesOf(block.bytes, encoding).every(reader.onLine);
      reader.onTooLong();
      return true;
    });
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    if (stoppedBy === undefined && !read(lines.push(chunk))) stop("enough");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr = (stderr + chunk.toString("utf8")).slice(0, MAX_STDERR_CHARS);
  });
  try {
    const exitCode = await new Promise<number | undefined>((done, fail) => {
      child.once("error", (error) => {
        if (group.id !== undefined) return; // a signal could not be sent; the exit event still comes
        if (["ENOENT", "EACCES", "ENOEXEC", "EPERM", "ENOTDIR"].includes(systemCodeOf(error) ?? ""))
          return done(undefined);
        fail(spawnError(run.program, error));
      });
      child.once("close", (code) => done(code ?? 2));
    });
    await ending;
    if (exitCode === undefined) return { kind: "not_started" };
    if (stoppedBy === "timeout") return { kind: "timeout" };
    if (stoppedBy !== undefined) return { kind: "done" };
    read(lines.end());
    return exitCode <= 1 ? { kind: "done" } : { kind: "failed", exitCode, stderr };
  } finally {
    clearTimeout(timer);
    run.signal?.removeEventListener("abort", onAbort);
  }
}

/** grep reads its language and options from the environment; both would change what it prints. */
function engineEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GREP_OPTIONS: _, GREP_COLORS: __, ...rest } = env;
  return { ...rest, LC_ALL: "C.UTF-8" };
}
