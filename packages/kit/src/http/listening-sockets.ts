// Which sockets listen on a TCP port, and whose they are, as Linux lists them in /proc/net/tcp and tcp6.
import { readFile } from "node:fs/promises";
import { PROC, systemCodeOf } from "@jeeves/base";
import { provableUid } from "./access/peer-owner.ts";

interface ListeningSocket {
  readonly uid: number;
  readonly inode: string;
}

interface OwnPortOptions {
  /** Default: this process' effective uid. */
  readonly uid?: number | undefined;
  /** Where the tables are; default /proc. */
  readonly proc?: string;
}

const LISTENING = "0A";

/** Every listener of the port, on any address. Rejects where the system has no such tables. */
export async function listenersOf(port: number, proc = PROC): Promise<readonly ListeningSocket[]> {
  const four = await readFile(`${proc}/net/tcp`, "latin1");
  const six = await readFile(`${proc}/net/tcp6`, "latin1").catch((error) => {
    if (systemCodeOf(error) === "ENOENT") return ""; // a machine without IPv6
    throw error;
  });
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return `${four}\n${six}`.split("\n").flatMap((row) => {
    const [, local = "", , state, , , , uid, , inode = "0"] = row.trim().split(/\s+/);
    return local.endsWith(wanted) && state === LISTENING ? [{ uid: Number(uid), inode }] : [];
  });
}

/**
 * Whether our user listens on the port, and no other user does so on any address: `localhost` is 127.0.0.1 or ::1, and a
 * listener on all addresses may stand beside one on a single address. False where it cannot be known.
 */
export async function isOwnPort(port: number, options: OwnPortOptions = {}): Promise<boolean> {
  const uid = provableUid(options);
  if (uid === undefined) return false;
  try {
    const listeners = await listenersOf(port, options.proc);
    return listeners.length > 0 && listeners.every((listener) => listener.uid === uid && listener.inode !== "0");
  } catch {
    return false;
  }
}
