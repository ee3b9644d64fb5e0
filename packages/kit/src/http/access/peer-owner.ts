// Whether the process at the other end of a TCP connection belongs to our own user, from Linux' /proc/net/tcp and tcp6.
// Looked up when a connection is accepted. One asynchronous read of the tables at a time serves all connections that wait;
// where nothing is known (no /proc, no uid) the answer is no.
import { createReadStream, readFileSync, readlinkSync } from "node:fs";
import { isIPv4 } from "node:net";
import { endianness } from "node:os";
import { PROC } from "@jeeves/base";

/** What the lookup needs of a connection that was just accepted; `net.Socket` has it. */
export interface Accepted {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** Our own user's open socket; a socket that its process has closed; anything else. */
export type PeerOwner = "own" | "gone" | "other";

/** Looks up peers; lookups that wait at the same time share one read of the tables. */
export interface PeerOwners {
  /** Whose socket the other end is. Never rejects. */
  ownerOf(socket: Accepted): Promise<PeerOwner>;
}

interface PeerOwnersOptions {
  /** Default: this process' effective uid. */
  readonly uid?: number | undefined;
  /** Where the tables are; default /proc. */
  readonly proc?: string;
  /** The inode of our own end; default: read from /proc by the socket's descriptor. */
  readonly inodeOf?: (socket: Accepted) => string | undefined;
}

interface Row {
  readonly state: string;
  readonly uid: number;
  readonly inode: string;
}

interface Lookup {
  /** `LOCAL REMOTE` as the tables have them: for the peer's end, and for ours. */
  readonly peerKeys: readonly string[];
  readonly ownKeys: readonly string[];
  readonly ownInode: string;
  peer?: Row | undefined;
  own?: Row | undefined;
  /** The peer's inode in the previous read. */
  seen?: string;
  looks: number;
  resolve(owner: PeerOwner): void;
}

// A row can be missed while the table changes under its reader.
const MAX_LOOKS = 5;
// Both ends must be open: a client that has closed its half (`echo … | socat`) sends the token.
const ESTABLISHED = "01";

/** Our uid; undefined where it proves nothing: not on Linux, or where it is the overflow uid of all unknown users. */
export function provableUid(options: Pick<PeerOwnersOptions, "uid" | "proc"> = {}): number | undefined {
  const { proc = PROC, uid = process.geteuid?.() } = options;
  return process.platform !== "linux" || uid === overflowUid(proc) ? undefined : uid;
}

/** Creates a lookup; undefined where a uid proves nothing (see provableUid). */
export function createPeerOwners(options: PeerOwnersOptions = {}): PeerOwners | undefined {
  const { proc = PROC, inodeOf = inodeOfDescriptor } = options;
  const uid = provableUid(options);
  if (uid === undefined) return undefined;
  let waiting: Lookup[] = [];
  let isReading = false;

  const readUntilDone = async () => {
    isReading = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = []; // lookups that come while the tables are read wait for the next read
      await readTables(proc, batch).catch(() => {}); // counts as not found
      for (const lookup of batch) {
        const verdict = judge(lookup, uid);
        if (verdict === undefined) waiting.push(lookup);
        else lookup.resolve(verdict);
      }
    }
    isReading = false;
  };

  return {
    ownerOf(socket) {
      const keys = keysOf(socket);
      const ownInode = inodeOf(socket);
      if (keys === undefined) return Promise.resolve("gone");
      if (ownInode === undefined) return Promise.resolve("other");
      return new Promise((resolve) => {
        waiting.push({ ...keys, ownInode, looks: 0, resolve });
        if (!isReading) void readUntilDone();
      });
    },
  };
}

/**
 * Undefined: read the tables again. Two reads must agree, and our own end must be open in both. A peer that closes while its row is
 * being read can show the uid 0 for a moment; and once a connection was reset, its addresses may belong to the next one,
 * which is not accepted yet and may be our own user's.
 */
function judge(lookup: Lookup, uid: number): PeerOwner | undefined {
  const { peer, own, seen } = lookup;
  lookup.looks += 1;
  lookup.peer = undefined;
  lookup.own = undefined;
  if (peer !== undefined) {
    // A socket that its process has closed has no inode, and its uid is 0 (root's), whichever user opened it.
    if (peer.inode === "0") return "gone";
    if (peer.uid !== uid || peer.state !== ESTABLISHED) return "other";
    if (own !== undefined && own.state === ESTABLISHED && own.inode === lookup.ownInode) {
      if (seen === peer.inode) return "own";
      lookup.seen = peer.inode;
    }
  }
  if (lookup.looks < MAX_LOOKS) return undefined;
  return peer === undefined && own !== undefined && own.state !== ESTABLISHED ? "gone" : "other";
}

async function readTables(proc: string, lookups: readonly Lookup[]): Promise<void> {
  const wanted = new Map<string, (row: Row) => void>();
  const missing = new Set<string>();
  lookups.forEach((lookup, at) => {
    for (const [end, keys] of [
      ["peer", lookup.peerKeys],
      ["own", lookup.ownKeys],
    ] as const) {
      const name = `${end} ${at}`;
      missing.add(name);
      for (const key of keys) {
        wanted.set(key, (row) => {
          lookup[end] = row;
          missing.delete(name);
        });
      }
    }
  });
  for (const table of ["tcp", "tcp6"]) {
    for await (const lines of linesIn(`${proc}/net/${table}`)) {
      for (const line of lines) {
        const from = line.indexOf(": ") + 2;
        const take = wanted.get(line.slice(from, line.indexOf(" ", line.indexOf(" ", from) + 1)));
        if (take === undefined) continue;
        const [, , , state = "", , , , uid, , inode = ""] = line.trim().split(/\s+/);
        take({ state, uid: Number(uid ?? Number.NaN), inode });
      }
      if (missing.size === 0) return;
    }
  }
}

/** Lines in chunks, as the kernel returns them; none where the file cannot be read: a machine may lack IPv6. */
async function* linesIn(path: string): AsyncGenerator<readonly string[]> {
  let rest = "";
  try {
    for await (const chunk of createReadStream(path, { encoding: "latin1" })) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      yield lines;
    }
  } catch {
    // What was read so far counts; the rest is searched for in the next read.
  }
}

/** Undefined for a connection that is closed: it has no peer any more. */
function keysOf(socket: Accepted): { peerKeys: string[]; ownKeys: string[] } | undefined {
  const own = formsOf(socket.localAddress, socket.localPort);
  const peer = formsOf(socket.remoteAddress, socket.remotePort);
  if (own === undefined || peer === undefined || own.length !== peer.length) return undefined;
  return {
    peerKeys: peer.map((form, i) => `${form} ${own[i]}`),
    ownKeys: own.map((form, i) => `${form} ${peer[i]}`),
  };
}

/** The forms of an address in the tables: `0100007F:1F90`. Each end of an IPv4 connection may be in tcp6, mapped. */
function formsOf(address: string | undefined, port: number | undefined): string[] | undefined {
  if (address === undefined || port === undefined) return undefined;
  const at = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const four = /^(?:::ffff:)?([\d.]+)$/i.exec(address)?.[1];
  if (four !== undefined && isIPv4(four)) {
    const hex = toHex(Buffer.from(four.split(".").map(Number)));
    return [`${hex}${at}`, `${toHex(Buffer.from("00000000000000000000ffff", "hex"))}${hex}${at}`];
  }
  const six = bytesOfIPv6(address);
  return six === undefined ? undefined : [`${toHex(six)}${at}`];
}

function bytesOfIPv6(address: string): Buffer | undefined {
  const [head = "", tail, ...more] = (address.split("%")[0] ?? "").split("::");
  if (more.length > 0) return undefined;
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = 8 - left.length - right.length;
  if (missing < 0 || (tail === undefined && missing > 0)) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => "0"), ...right];
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

/** The kernel prints an address as 32-bit numbers in the machine's byte order. */
function toHex(bytes: Buffer): string {
  const copy = Buffer.from(bytes);
  return (endianness() === "LE" ? copy.swap32() : copy).toString("hex").toUpperCase();
}

function inodeOfDescriptor(socket: Accepted): string | undefined {
  try {
    const { _handle: handle } = socket as { readonly _handle?: { readonly fd?: number } | null };
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`${PROC}/self/fd/${handle?.fd}`))?.[1];
  } catch {
    return undefined; // closed already
  }
}

function overflowUid(proc: string): number {
  try {
    return Number(readFileSync(`${proc}/sys/kernel/overflowuid`, "utf8"));
  } catch {
    return 65_534;
  }
}
