import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROC, readProcess } from "@jeeves/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StateError, withLock } from "../../src/index.ts";
import { claim } from "../../src/lock/lock.ts";
import { currentProcess } from "../../src/lock/process-identity.ts";
import { buildProgram } from "../child-program.ts";
import { scratchDir } from "../scratch.ts";

const HOLDER = `
  import { withLock } from "@jeeves/state";
  await withLock(process.argv[2] ?? "", async () => {
    console.log("held");
    await new Promise((done) => process.stdin.once("data", done));
  });
  process.exit(0);
`;

/** Reads a number, waits a turn, writes it back plus one: loses counts as soon as two do it at once. */
const COUNTER = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { setImmediate } from "node:timers/promises";
  import { withLock } from "@jeeves/state";
  const [lock = "", file = "", rounds = "0"] = process.argv.slice(2);
  for (let i = 0; i < Number(rounds); i++) {
    await withLock(lock, async () => {
      const count = Number(readFileSync(file, "utf8"));
      await setImmediate();
      writeFileSync(file, String(count + 1));
      if (process.argv[5] === "die" && i === Number(rounds) - 1) process.kill(process.pid, "SIGKILL");
    }, { waitMs: 50_000 });
  }
`;

describe("withLock", () => {
  it("X-54 the lock names its owner while it is held, and is free afterwards", async () => {
    const lock = join(scratchDir(), "a.lock");
    await withLock(lock, async () => {
      expect(JSON.parse(readFileSync(join(lock, "1"), "utf8"))).toMatchObject(currentProcess());
    });
    expect(readdirSync(lock).sort()).toEqual(["1", "1.free"]);
    expect(await withLock(lock, async () => "again", { waitMs: 0 })).toBe("again");
  });

  it("X-54 what fails inside is passed on, and the lock is free", async () => {
    const lock = join(scratchDir(), "a.lock");
    await expect(withLock(lock, () => Promise.reject(new Error("inside")))).rejects.toThrow("inside");
    expect(await withLock(lock, async () => "next", { waitMs: 0 })).toBe("next");
  });

  it("X-54 in one process callers take turns, in order, and the folder does not grow", async () => {
    const lock = join(scratchDir(), "a.lock");
    const order: number[] = [];
    let inside = 0;
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        withLock(lock, async () => {
          expect(++inside).toBe(1);
          await Promise.resolve();
          order.push(i);
          inside--;
        }),
      ),
    );
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(readdirSync(lock).length).toBeLessThanOrEqual(4);
  });

  it("X-54 who had it a moment ago lets another process that waits go first", async () => {
    const lock = join(scratchDir(), "a.lock");
    await withLock(lock, async () => {});
    // Our parent lives, and stands for somebody who sleeps between two looks.
    const wait = join(lock, `wait.${process.ppid}`);
    writeFileSync(wait, "");
    const second = withLock(lock, async () => readdirSync(lock));
    await new Promise((turn) => setImmediate(turn));
    const other = await claim(lock, 2);
    expect(other).toBe(join(lock, "2"));
    rmSync(wait);
    writeFileSync(`${other}.free`, "");
    expect(await second).toContain("3");
  });

  it("X-54 one that was killed while it waited holds up no other, and its file goes", async () => {
    const lock = join(scratchDir(), "a.lock");
    await withLock(lock, async () => {});
    const start = buildProgram("process.exit(0);");
    const gone = start();
    await gone.ended();
    writeFileSync(join(lock, `wait.${gone.process.pid}`), "");
    expect((await withLock(lock, async () => readdirSync(lock))).filter((name) => name.startsWith("wait"))).toEqual([]);
  });

  it("X-54 four processes at once lose no count, even when two of them die inside", async () => {
    const dir = scratchDir();
    const file = join(dir, "count");
    writeFileSync(file, "0");
    const start = buildProgram(COUNTER);
    const children = ["live", "live", "die", "die"].map((end) => start(join(dir, "a.lock"), file, "40", end));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, null, null]);
    expect(readFileSync(file, "utf8")).toBe("160");
  });

  it("X-54 a live holder in another process is waited for, and named when the wait is over", async () => {
    const lock = join(scratchDir(), "a.lock");
    const holder = buildProgram(HOLDER)(lock);
    await holder.nextLine();
    const refused = await withLock(lock, async () => {}, { waitMs: 30 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StateError);
    expect(refused).toMatchObject({
      code: "lock_timeout",
      message: expect.stringContaining(`process ${holder.process.pid}`),
    });
    const waiting = withLock(lock, async () => "mine");
    holder.process.stdin?.write("go\n");
    expect(await waiting).toBe("mine");
  });

  it("X-54 a holder that was killed is taken over at once", async () => {
    const lock = join(scratchDir(), "a.lock");
    const holder = buildProgram(HOLDER)(lock);
    await holder.nextLine();
    holder.process.kill("SIGKILL");
    await holder.ended();
    expect(await withLock(lock, async () => "mine", { waitMs: 100 })).toBe("mine");
  });

  // Only /proc tells when a process started.
  it.runIf(existsSync(PROC)).each([
    ["whose number now belongs to another process", { startTicks: currentProcess().startTicks + 1 }],
    ["from before the last restart", { bootId: "another-boot" }],
  ])("X-54 a holder %s is dead", async (_, difference) => {
    const lock = join(scratchDir(), "a.lock");
    mkdirSync(lock);
    writeFileSync(join(lock, "7"), JSON.stringify({ ...currentProcess(), ...difference }));
    expect(await withLock(lock, async () => readdirSync(lock).sort(), { waitMs: 0 })).toEqual(["7", "8"]);
  });

  it("X-54 a holder in another container is believed while its heart beats", async () => {
    const lock = join(scratchDir(), "a.lock");
    mkdirSync(lock);
    writeFileSync(join(lock, "1"), JSON.stringify({ ...currentProcess(), space: "elsewhere pid:[1]" }));
    await expect(withLock(lock, async () => {}, { waitMs: 10 })).rejects.toMatchObject({ code: "lock_timeout" });
    utimesSync(join(lock, "1"), Date.now() / 1000 - 61, Date.now() / 1000 - 61);
    expect(await withLock(lock, async () => "mine", { waitMs: 10 })).toBe("mine");
  });

  it("X-54 a holder in another container was robbed when the wall clock jumped: its heart beats by the boot's clock", async () => {
    const lock = join(scratchDir(), "a.lock");
    mkdirSync(lock);
    const beatMs = (agoMs: number): string =>
      String(Number(process.hrtime.bigint() / 1_000_000n) - agoMs).padStart(15, "0");
    const foreign = { ...currentProcess(), space: "elsewhere pid:[1]" };
    writeFileSync(join(lock, "1"), JSON.stringify({ ...foreign, beatMs: beatMs(1_000) }));
    // As after a jump by an hour: the file's time is far away from now.
    for (const jumpS of [-3_600, 3_600]) {
      utimesSync(join(lock, "1"), Date.now() / 1000 + jumpS, Date.now() / 1000 + jumpS);
      await expect(withLock(lock, async () => {}, { waitMs: 10 })).rejects.toMatchObject({ code: "lock_timeout" });
    }
    writeFileSync(join(lock, "1"), JSON.stringify({ ...foreign, beatMs: beatMs(61_000) }));
    expect(await withLock(lock, async () => "mine", { waitMs: 10 })).toBe("mine");
  });

  it("X-54 a holder of our own number in another container is not taken for one that we forgot", async () => {
    const lock = join(scratchDir(), "a.lock");
    mkdirSync(lock);
    writeFileSync(join(lock, "1"), JSON.stringify({ ...currentProcess(), space: "elsewhere pid:[1]" }));
    utimesSync(join(lock, "1"), Date.now() / 1000 - 40, Date.now() / 1000 - 40);
    await expect(withLock(lock, async () => {}, { waitMs: 10 })).rejects.toMatchObject({ code: "lock_timeout" });
  });

  it.runIf(existsSync(PROC))(
    "X-54 a stopped holder held everyone up without a name: pid, command, since when, and what to do",
    async () => {
      const lock = join(scratchDir(), "a.lock");
      const start = new Date().toISOString().slice(0, 10);
      const holder = buildProgram(HOLDER)(lock);
      await holder.nextLine();
      const { pid } = holder.process;
      holder.process.kill("SIGSTOP");
      await expect.poll(() => readProcess(pid ?? 0)?.isStopped).toBe(true);
      const refused = withLock(lock, async () => {}, { waitMs: 30 });
      await expect(refused).rejects.toMatchObject({
        code: "lock_timeout",
        message: expect.stringMatching(
          new RegExp(`is held by process ${pid} \\(\\S.*\\) since ${start.slice(0, 4)}-.*Z$`),
        ),
        hint: expect.stringContaining(`kill -CONT ${pid}`),
      });
      holder.process.kill("SIGCONT");
      holder.process.stdin?.write("go\n");
      expect(await withLock(lock, async () => "mine")).toBe("mine");
    },
  );

  it("X-54 a file that was never written is a holder that died arriving, after five seconds", async () => {
    const lock = join(scratchDir(), "a.lock");
    mkdirSync(lock);
    writeFileSync(join(lock, "1"), "");
    await expect(withLock(lock, async () => {}, { waitMs: 10 })).rejects.toMatchObject({ code: "lock_timeout" });
    utimesSync(join(lock, "1"), Date.now() / 1000 - 6, Date.now() / 1000 - 6);
    expect(await withLock(lock, async () => "mine", { waitMs: 10 })).toBe("mine");
  });

  it.each([["5"], ["5.free"], ["3.free"]])(
    "X-54 who looked long ago and claims number 3 beside %s gets nothing and leaves nothing",
    async (name) => {
      const lock = scratchDir();
      writeFileSync(join(lock, name), JSON.stringify(currentProcess()));
      expect(await claim(lock, 3)).toBeUndefined();
      expect(readdirSync(lock)).toEqual([name]);
    },
  );

  it("X-54 an abort ends the waiting, in the queue and before the disk", async () => {
    const lock = join(scratchDir(), "a.lock");
    const stop = new AbortController();
    await withLock(lock, async () => {
      const queued = withLock(lock, async () => "never", { signal: stop.signal });
      stop.abort(new Error("enough"));
      await expect(queued).rejects.toThrow("enough");
    });
    mkdirSync(`${lock}2`);
    writeFileSync(join(`${lock}2`, "1"), JSON.stringify(currentProcess()));
    const late = new AbortController();
    const waiting = withLock(`${lock}2`, async () => "never", { signal: late.signal });
    late.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow();
  });

  it("X-54 a waiter that gave up does not block those behind", async () => {
    const lock = join(scratchDir(), "a.lock");
    let release = () => {};
    let first: Promise<void> = Promise.resolve();
    await new Promise<void>((entered) => {
      first = withLock(lock, () => {
        entered();
        return new Promise<void>((done) => {
          release = done;
        });
      });
    });
    const second = withLock(lock, async () => "second", { waitMs: 5 });
    const third = withLock(lock, async () => "third");
    await expect(second).rejects.toMatchObject({ code: "lock_timeout" });
    release();
    await first;
    expect(await third).toBe("third");
  });

  it("X-54 whatever numbers were left behind, one caller gets in and the highest stays", async () => {
    const left = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()), {
      maxLength: 6,
      selector: ([n]) => n,
    });
    await fc.assert(
      fc.asyncProperty(left, async (numbers) => {
        const lock = join(scratchDir(), "a.lock");
        mkdirSync(lock);
        for (const [number, free] of numbers) {
          writeFileSync(
            join(lock, `${number}${free ? ".free" : ""}`),
            JSON.stringify({ ...currentProcess(), bootId: "gone" }),
          );
        }
        const top = Math.max(0, ...numbers.map(([number]) => number));
        await withLock(lock, async () => expect(readdirSync(lock)).toContain(String(top + 1)), { waitMs: 0 });
      }),
      { numRuns: 30 },
    );
  });
});
