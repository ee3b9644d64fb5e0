// What only some systems have: the list of processes in /proc, and a Perl that belongs to the system. One place, so that
// tests can hide them (JEEVES_TEST_HIDE=proc,perl) and show what is left on a system without them.
import { isExecutable } from "../find-program.ts";

const HIDDEN = new Set((process.env.JEEVES_TEST_HIDE ?? "").split(","));

/** Where Linux tells about processes and sockets; a path that is not there where tests hide it. */
export const PROC = HIDDEN.has("proc") ? "/nowhere/proc" : "/proc";

/** By path: one on PATH may be a version manager's shim. */
const SYSTEM_PERLS = HIDDEN.has("perl") ? [] : ["/usr/bin/perl", "/bin/perl"];

let found: Promise<string | undefined> | undefined;

/** The system's own Perl, looked for once; undefined if it has none. */
export function findSystemPerl(): Promise<string | undefined> {
  found ??= lookForPerl();
  return found;
}

async function lookForPerl(): Promise<string | undefined> {
  for (const path of SYSTEM_PERLS) if (await isExecutable(path)) return path;
  return undefined;
}
