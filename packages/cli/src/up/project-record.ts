// Who serves a project: one `jeeves up` for each, known to the others by a small file in the state directory (0600: the
// page's address has its token). A record whose process is gone counts for nothing.
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  currentProcess,
  isProcessIdentity,
  livenessOf,
  type ProcessIdentity,
  resolveStateDir,
  withLock,
  writeFileAtomic,
} from "@jeeves/state";

export interface UpRecord {
  readonly owner: ProcessIdentity;
  readonly root: string;
  /** The page; the services. undefined while it is starting. */
  readonly page?: string;
  readonly services?: string;
}

export interface OwnRecord {
  announce(addresses: { readonly page: string; readonly services: string }): Promise<void>;
  remove(): Promise<void>;
}

/** Ours from now on, or whose it is. */
export async function claimProject(
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly own: OwnRecord } | { readonly other: UpRecord }> {
  const file = `${placeOf(root, env)}.json`;
  return withLock(join(dirname(file), "lock"), async () => {
    const other = await readRecord(file);
    if (other !== undefined) return { other };
    const owner = currentProcess();
    await writeFileAtomic(file, `${JSON.stringify({ owner, root })}\n`);
    return {
      own: {
        announce: (addresses) => writeFileAtomic(file, `${JSON.stringify({ owner, root, ...addresses })}\n`),
        async remove() {
          await rm(file, { force: true });
          await rm(pageFileOf(root, env), { force: true });
        },
      },
    };
  });
}

/** The file that leads a browser to the project's page. */
export function pageFileOf(root: string, env: NodeJS.ProcessEnv): string {
  return `${placeOf(root, env)}.html`;
}

function placeOf(root: string, env: NodeJS.ProcessEnv): string {
  return join(resolveStateDir(env), "up", createHash("sha256").update(root).digest("hex").slice(0, 16));
}

async function readRecord(file: string): Promise<UpRecord | undefined> {
  try {
    const record: Partial<UpRecord> = JSON.parse(await readFile(file, "utf8"));
    const { owner, root } = record;
    if (!isProcessIdentity(owner) || typeof root !== "string" || livenessOf(owner) === "dead") return undefined;
    return { ...record, owner, root };
  } catch {
    return undefined; // none, or torn: then its writer is gone
  }
}
