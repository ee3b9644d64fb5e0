// SIGKILL, of the launcher, of its command, of both: all that the launcher had read is in a file, and the next command of
// the session names it. `npm run soak` has the long storm.
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createDiskStore } from "@jeeves/state";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, describe, expect, it } from "vitest";
import { isSoak, rounds } from "../../../test/soak-time.mjs";
import { collect, dir, envOf, file, run, scratch, start, until } from "./jeeves-exec-given.ts";

const HELD = join(scratch, `jeeves-held-${process.getuid?.()}`);
const NOTE = /\[a command was killed; the (?:(\d+) lines|line) it had printed: (\S+)\]\n/;
const ID = "3f2c8a1e-77aa-4c1b-9d7e-0123456789ab";
const mine = { CLAUDE_CODE_SESSION_ID: ID };
const copies = () => (existsSync(HELD) ? readdirSync(HELD).map((name) => join(HELD, name)) : []);

afterEach(() => rmSync(HELD, { recursive: true, force: true }));

/** Kills a command that has printed `printed`, together with its launcher. */
async function killed(printed: string, env: Readonly<Record<string, string>> = mine): Promise<void> {
  file("printed", printed);
  const before = copies().length;
  const child = start("cat printed; sleep 300", { env, detached: true });
  await until(() => copies().length > before && copies().some((path) => readFileSync(path, "utf8") === printed));
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "close");
}

const next = (env: Readonly<Record<string, string>> = mine, command = "cat /dev/null; echo next") =>
  run(command, { env }).stdout.toString();

describe("X-21 what a command had printed when it was killed together with its launcher", () => {
  it("is in a file that the next command of the session names, once", async () => {
    await killed("one\ntwo\n");
    const shown = next();
    const [note = "", lines, path = ""] = NOTE.exec(shown) ?? [];
    expect(shown).toBe(`next\n${note}`);
    expect(lines).toBe("2");
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
    expect(path).toMatch(/\/jeeves-held-\d+\/456789ab-\d+$/);
    expect(encode(note.replace(scratch, "/tmp")).length).toBeLessThanOrEqual(32);
    expect(next()).toBe("next\n");
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  });

  it("has a name that its content gives it: the same output is named in the same bytes on each run", async () => {
    const noteOf = async (printed: string) => {
      await killed(printed);
      return next();
    };
    const first = await noteOf("one\ntwo\n");
    expect(await noteOf("one\ntwo\n")).toBe(first);
    expect(copies()).toHaveLength(1);
    const other = await noteOf("two\none\n");
    expect(other).not.toBe(first);
    rmSync(HELD, { recursive: true });
    expect(await noteOf("two\none\n")).toBe(other);
    expect(await noteOf("one\ntwo\n")).toBe(first);
    expect(
      copies()
        .map((path) => readFileSync(path, "utf8"))
        .sort(),
    ).toEqual(["one\ntwo\n", "two\none\n"]);
  });

  it("keeps its own name where another content has that name", async () => {
    await killed("one\ntwo\n");
    const [, , path = ""] = NOTE.exec(next()) ?? [];
    chmodSync(path, 0o600);
    writeFileSync(path, "something else\n");
    chmodSync(path, 0o400);
    await killed("one\ntwo\n");
    const [, , another = ""] = NOTE.exec(next()) ?? [];
    expect(another).not.toBe(path);
    expect([path, another].map((each) => readFileSync(each, "utf8"))).toEqual(["something else\n", "one\ntwo\n"]);
  });

  it("is this user's alone to read", async () => {
    await killed("secret\n");
    expect(copies().map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
    expect(statSync(HELD).mode & 0o777).toBe(0o700);
  });

  it("is named on a line of its own", async () => {
    await killed("half a line");
    expect(next(mine, "cat /dev/null; printf unfinished")).toMatch(
      /^unfinished\n\[a command was killed; the line it had printed: \S+\]\n$/,
    );
  });

  it("is named behind a cut, too", async () => {
    await killed("one\ntwo\n");
    file("long.log", `${Array.from({ length: 4_000 }, (_, i) => ` ✓ case ${i} takes ${i % 13}ms`).join("\n")}\n`);
    expect(next(mine, "cat long.log; exit 1")).toMatch(/\[rest: .*\n\[a command was killed; .*\n$/);
  });

  it("is not named to another session, nor while its command runs", async () => {
    await killed("one\n");
    expect(next({ CLAUDE_CODE_SESSION_ID: `${ID.slice(0, -1)}c` })).toBe("next\n");
    expect(next({})).toBe("next\n");
    rmSync(HELD, { recursive: true });
    const child = start("cat /dev/null; echo running; while [ ! -e go-on ]; do sleep 0.05; done", { env: mine });
    const seen = collect(child);
    await until(() => copies().some((path) => readFileSync(path, "utf8") === "running\n"));
    expect(next()).toBe("next\n");
    file("go-on", "");
    await once(child, "close");
    expect(seen.text()).toBe("running\n");
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("where the directory is open to others, nothing is held and nothing is named", async () => {
    await killed("one\n");
    chmodSync(HELD, 0o755);
    expect(next()).toBe("next\n");
  });

  it("goes with the store's housekeeping when it is old, and the oldest when it is much", async () => {
    await killed("one\n");
    const day = 86_400;
    const made = (name: string, { days, bytes }: { readonly days: number; readonly bytes: number }) => {
      const path = join(HELD, name);
      writeFileSync(path, "");
      truncateSync(path, bytes); // a hole: it takes no room on the disk
      utimesSync(path, Date.now() / 1000 - days * day, Date.now() / 1000 - days * day);
      return path;
    };
    const [running = ""] = copies();
    const old = made("456789ab-15", { days: 15, bytes: 10 });
    const large = made("456789ab-1", { days: 1, bytes: 200 * 1024 * 1024 });
    const older = made("456789ab-2", { days: 2, bytes: 100 * 1024 * 1024 });
    const theirs = made("notes.txt", { days: 15, bytes: 10 });
    const env = envOf({ JEEVES_STATE_DIR: join(dir, "swept-state") });
    await createDiskStore({ env }).put({ text: "the one that sweeps", focus: "", options: {} });
    await until(() => !existsSync(older));
    expect([running, old, large, older, theirs].map(existsSync)).toEqual([true, false, true, false, true]);
  });
});

// Prints a line, waits until the launcher has read it, and then notes the line before: that one is in the file by now.
file(
  "print.pl",
  `use strict; $| = 1;
my $parent = getppid;
open my $pid, '>', "$ARGV[0].pid"; print $pid "$$"; close $pid;
open my $noted, '>>', "$ARGV[0].noted";
for (my $i = 1; ; $i++) {
  print "line $i\\n";
  my $unread = 1;
  while ($unread) {
    exit if getppid != $parent;
    my $count = pack 'L', 0;
    ioctl STDOUT, 0x541b, $count or die;    # FIONREAD
    $unread = unpack 'L', $count;
    select undef, undef, undef, 0.0005 if $unread;
  }
  syswrite $noted, ($i - 1) . "\\n";
  select undef, undef, undef, 0.001;
}
`,
);

describe.skipIf(process.platform !== "linux")("SIGKILL at any moment", () => {
  const count = isSoak ? 60 : 3;
  const maxMs = isSoak ? 3_000 : 500;
  it.each(["launcher", "group", "command"] as const)(
    "of the %s: all that the launcher had read is shown or named",
    async (who) => {
      for (const round of rounds(count, { share: 0.3, what: `kills of the ${who}` })) {
        const name = `${who}-${round}`;
        // Of a command that ends, all is shown: Node has nothing to do here.
        const env = { ...mine, JEEVES_NODE: "/bin/false" };
        const child = start(`cat /dev/null; exec perl print.pl ${name}`, { env, detached: true });
        const seen = collect(child);
        const ms = Math.round(Math.random() * maxMs);
        await delay(ms);
        if (who === "command") await until(() => existsSync(join(dir, `${name}.pid`)) && pidOf(name) > 0);
        const pid = child.pid ?? 0;
        process.kill(who === "launcher" ? pid : who === "group" ? -pid : pidOf(name), "SIGKILL");
        await once(child, "close");
        const [, , path] = NOTE.exec(next()) ?? [];
        const got = who === "command" ? seen.text() : path === undefined ? "" : readFileSync(path, "utf8");
        if (path !== undefined) rmSync(path);
        const lines = got.split("\n").slice(0, -1);
        expect(lines).toEqual(lines.map((_, index) => `line ${index + 1}`));
        expect(lines.length, `${who}, killed after ${ms} ms`).toBeGreaterThanOrEqual(lastNoted(name));
        if (who === "command") expect(path).toBeUndefined();
      }
    },
    isSoak ? 120_000 : 60_000,
  );
});

function pidOf(name: string): number {
  return Number(readFileSync(join(dir, `${name}.pid`), "utf8"));
}

function lastNoted(name: string): number {
  const path = join(dir, `${name}.noted`);
  return existsSync(path) ? Number(readFileSync(path, "utf8").trimEnd().split("\n").at(-1)) : 0;
}
