// Which process may have a port, for an error message. Known on Linux only, from /proc, and only for our own user's
// processes.
import { readdir, readFile, readlink } from "node:fs/promises";
import { PROC } from "@jeeves/base";
import { listenersOf } from "./listening-sockets.ts";

const MAX_COMMAND_CHARS = 200;

/** `pid 1234 (node server.js)`, or undefined. */
export async function findPortHolder(port: number): Promise<string | undefined> {
  try {
    const inodes = new Set((await listenersOf(port)).map(({ inode }) => inode));
    if (inodes.size === 0) return undefined;
    for (const pid of (await readdir(PROC)).filter((name) => /^\d+$/.test(name))) {
      if (await holds(pid, inodes)) return `pid ${pid} (${await commandOf(pid)})`;
    }
  } catch {
    // No /proc.
  }
  return undefined;
}

async function holds(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const fds = await readdir(`${PROC}/${pid}/fd`).catch(() => []);
  for (const fd of fds) {
    const link = await readlink(`${PROC}/${pid}/fd/${fd}`).catch(() => "");
    const inode = /^socket:\[(\d+)\]$/.exec(link)?.[1];
    if (inode !== undefined && inodes.has(inode)) return true;
  }
  return false;
}

async function commandOf(pid: string): Promise<string> {
  const line = (await readFile(`${PROC}/${pid}/cmdline`, "utf8").catch(() => "")).split("\0").join(" ").trim();
  return line.slice(0, MAX_COMMAND_CHARS);
}
