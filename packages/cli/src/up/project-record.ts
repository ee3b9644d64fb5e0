// Who serves a project: one `jeeves up` for each, known to the others by a small file in the state directory (0600: the
// page's address has its token). A record whose process is gone counts for nothing.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCodeOf } from "@jeeves/base";
import {
  currentProcess,
  guarded,
  isProcessIdentity,
  livenessOf,
  makeDirs,
  type ProcessIdentity,
  readPlainFile,
  resolveStateDir,
  STORE_WAIT_MS,
  waitMsOf,
  withLock,
  writeFileAtomic,
} from "@jeeves/state";

const MAX_BYTES = 65_536;

/** A `jeeves up` that serves a project. */
export interface UpRecord {
  readonly owner: ProcessIdentity;
  readonly root: string;
  /** The page; the services. undefined while it is starting. */
  readonly page?: string;
  readonly services?: string;
}

interface OwnRecord {
  announce(addresses: { readonly page: string; readonly services: string }): Promise<void>;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** Whether this process or another one serves the project. */
export type Claim =
  /** `problem`: why the record could not be read or written; then a second `jeeves up` may not know of this one. */
  { readonly own: OwnRecord; readonly problem?: string } | { readonly other: UpRecord };

/**
 * Claims the project for this process, unless another one serves it. A record that cannot be kept stops nothing.
 * Rejects where the state directory cannot be made, because then nothing else can be kept either.
 */
export async function claimProject(root: string, env: NodeJS.ProcessEnv): Promise<Claim> {
  const file = `${placeOf(root, env)}.json`;
  const owner = currentProcess();
  const own: OwnRecord = {
    announce: (addresses) => writeFileAtomic(file, `${JSON.stringify({ owner, root, ...addresses })}\n`),
    async remove() {
      for (const path of [file, pageFileOf(root, env)]) await rm(path, { force: true }).catch(() => {});
    },
  };
  const dir = resolveStateDir(env);
  const made = await guarded(dir, waitMsOf(env, STORE_WAIT_MS), () => makeDirs(dir, { mode: 0o700 })).catch(
    (error: unknown) => error,
  );
  // One that hangs is no refusal: it may be there later.
  if (systemCodeOf(made) !== undefined) throw made;
  const claim = () =>
    withLock(join(dirname(file), "lock"), async (): Promise<Claim> => {
      const found = await readRecord(file);
      if (found.other !== undefined) return { other: found.other };
      await writeFileAtomic(file, `${JSON.stringify({ owner, root })}\n`);
      return { own, ...(found.problem === undefined ? {} : { problem: found.problem }) };
    });
  try {
    return await guarded(dir, waitMsOf(env, STORE_WAIT_MS), claim);
  } catch (error) {
    // What is there instead may be another process's record.
    const none: OwnRecord = { announce: async () => {}, remove: async () => {} };
    return { own: none, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The file that leads a browser to the project's page. */
export function pageFileOf(root: string, env: NodeJS.ProcessEnv): string {
  return `${placeOf(root, env)}.html`;
}

function placeOf(root: string, env: NodeJS.ProcessEnv): string {
  return join(resolveStateDir(env), "up", createHash("sha256").update(root).digest("hex").slice(0, 16));
}

/** `other`: whose process still lives. */
async function readRecord(file: string): Promise<{ readonly other?: UpRecord; readonly problem?: string }> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readPlainFile(file, { maxBytes: MAX_BYTES });
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  try {
    const record: Partial<UpRecord> = JSON.parse(bytes?.toString("utf8") ?? "{}");
    const { owner, root } = record;
    if (!isProcessIdentity(owner) || typeof root !== "string" || livenessOf(owner) === "dead") return {};
    return { other: { ...record, owner, root } };
  } catch {
    return {}; // torn: then its writer is gone
  }
}
