import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { type SearchTextOptions, searchText } from "../../src/index.ts";
import { grepArguments, rgArguments } from "../../src/search/engines.ts";
import { scratchRoot } from "../scratch.ts";

const words: SearchTextOptions = {
  pattern: "needle",
  paths: [],
  fixedString: false,
  caseSensitive: true,
  timeoutMs: 20_000,
  maxMatches: 500,
  maxBytes: 1_000_000,
};

/** A root with programs of its own beside it. */
async function withPrograms(programs: Readonly<Record<string, string>>) {
  const scratch = await scratchRoot({ "a.txt": "needle\n" });
  const bin = join(scratch.outside, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...scratch, bin, env: { PATH: bin } };
}

describe("the engines", () => {
  it("X-07 rg's words are exactly these", () => {
    const base = { pattern: "-x", fixedString: false, caseSensitive: true, contextLines: 0, paths: ["./a"] };
    expect(rgArguments(base)).toEqual(["--json", "--no-config", "--sort", "path", "-e", "-x", "--", "./a"]);
    expect(rgArguments({ ...base, fixedString: true, caseSensitive: false, contextLines: 3 }).slice(4, -4)).toEqual([
      "-F",
      "-i",
      "-C",
      "3",
    ]);
  });

  it("J-47 grep's words are exactly these", () => {
    const base = { pattern: "-x", fixedString: false, caseSensitive: true, contextLines: 0, paths: ["./a"] };
    expect(grepArguments(base)).toEqual(["-r", "-n", "-H", "-a", "--null", "-E", "-e", "-x", "--", "./a"]);
    expect(grepArguments({ ...base, fixedString: true, caseSensitive: false }).slice(5, -4)).toEqual(["-F", "-i"]);
  });

  it("J-45 the rg on PATH comes first", async () => {
    const event = JSON.stringify({
      type: "match",
      data: {
        path: { text: "./x" },
        lines: { text: "hay needle\n" },
        line_number: 7,
        submatches: [{ start: 4, end: 10 }],
      },
    });
    const { root, env, dir } = await withPrograms({ rg: `printf '%s\\n' '${event}'` });
    writeFileSync(join(dir, "x"), `${"\n".repeat(6)}hay needle\n`);
    expect(await searchText(root, { ...words, env })).toMatchObject({
      engine: "rg",
      matches: [{ path: "x", line: 7, column: 5, text: "hay needle" }],
    });
  });

  it("J-45 an rg that is not executable, or nowhere, gives way to the bundled one", async () => {
    const { root, bin, env } = await withPrograms({ rg: "exit 9" });
    chmodSync(join(bin, "rg"), 0o644);
    expect(await searchText(root, { ...words, env })).toMatchObject({ engine: "bundled-rg", matchCount: 1 });
    expect(await searchText(root, { ...words, env: { PATH: "" } })).toMatchObject({
      engine: "bundled-rg",
      matchCount: 1,
    });
  });

  it("J-45 an rg that the system refuses to start gives way, too", async () => {
    const { root, bin, env } = await withPrograms({});
    writeFileSync(join(bin, "rg"), "#!/no/such/interpreter\n", { mode: 0o755 });
    expect(await searchText(root, { ...words, env })).toMatchObject({ engine: "bundled-rg", matchCount: 1 });
  });

  it("X-07 without any ripgrep, grep does it", async () => {
    const { root } = await scratchRoot({ "a.txt": "needle\n" });
    expect(await searchText(root, { ...words, engines: ["rg", "grep"], env: { PATH: "/usr/bin:/bin" } })).toMatchObject(
      { matchCount: 1 },
    );
  });

  it("J-44 without any engine it is spawn_error", async () => {
    const { root } = await scratchRoot();
    await expect(searchText(root, { ...words, engines: ["rg", "grep"], env: {} })).rejects.toMatchObject({
      code: "spawn_error",
    });
  });

  it("X-07 a program in the searched directory is not an engine, wherever PATH points", async () => {
    const { root, dir } = await scratchRoot({ "a.txt": "needle\n" });
    writeFileSync(join(dir, "rg"), "#!/bin/sh\nexit 2\n", { mode: 0o755 });
    const here = relative(process.cwd(), dir); // what "." would be if the server ran there
    const found = await searchText(root, { ...words, env: { PATH: ["", ".", here].join(delimiter) } });
    expect(found.engine).toBe("bundled-rg");
  });

  it("J-47 lines of a grep without --null are split at the first two colons, sorted, and what is no match is skipped", async () => {
    const script = [
      "./b.txt:2:x: y",
      "Binary file ./c matches",
      "grep: ./d: binary file matches",
      "./a.txt:10:NEEDLE z",
      "./a.txt:9:q needle",
      "./a.txt:8:none",
    ]
      .map((line) => `echo '${line}'`)
      .join("\n");
    const noNul = `case "$*" in *--null*) echo "grep: unrecognized option '--null'" >&2; exit 2;; esac`;
    const { root, env, dir } = await withPrograms({ grep: `${noNul}\n${script}` });
    writeFileSync(join(dir, "a.txt"), `${"\n".repeat(7)}none\nq needle\nNEEDLE z\n`);
    writeFileSync(join(dir, "b.txt"), "\nx: y\n");
    const found = await searchText(root, { ...words, env, engines: ["grep"], fixedString: true, caseSensitive: false });
    expect(found.matches).toEqual([
      { path: "a.txt", line: 8, column: null, text: "none" },
      { path: "a.txt", line: 9, column: 3, text: "q needle" },
      { path: "a.txt", line: 10, column: 1, text: "NEEDLE z" },
      { path: "b.txt", line: 2, column: null, text: "x: y" },
    ]);
  });

  it("J-49 at the timeout the engine is killed, children and all", async () => {
    const { root, env, outside } = await withPrograms({ rg: `/bin/sleep 300 & echo $! > "$PWD/../outside/pid"; wait` });
    await expect(searchText(root, { ...words, env, timeoutMs: 400 })).rejects.toMatchObject({ code: "timeout" });
    const pid = Number(readFileSync(join(outside, "pid"), "utf8"));
    const status = () => {
      try {
        return readFileSync(`/proc/${pid}/status`, "utf8");
      } catch {
        return "State: Z";
      }
    };
    expect(status()).toMatch(/^State:\s+Z/m);
  });

  it("J-82 an abort at any moment stops the search and rejects with its reason", async () => {
    const { root, env } = await withPrograms({ rg: "exec /bin/sleep 300" });
    for (let turns = 0; turns < 25; turns++) {
      const stop = new AbortController();
      const searching = searchText(root, { ...words, env, signal: stop.signal, timeoutMs: 300_000 });
      const rejected = expect(searching).rejects.toThrow("client is gone");
      for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
      stop.abort(new Error("client is gone"));
      await rejected;
    }
  }, 30_000);

  it("J-50 an engine that never stops talking is stopped", async () => {
    const event = JSON.stringify({
      type: "match",
      data: { path: { text: "x" }, lines: { text: "needle\n" }, line_number: 1, submatches: [] },
    });
    const { root, env, dir } = await withPrograms({ rg: `while :; do printf '%s\\n' '${event}'; done` });
    writeFileSync(join(dir, "x"), "needle\n");
    expect(await searchText(root, { ...words, env, maxMatches: 20 })).toMatchObject({
      matchCount: 20,
      truncated: true,
    });
  });

  it("a line that is too long to hold is left out, which is told, and those after it are found", async () => {
    const event = JSON.stringify({
      type: "match",
      data: { path: { text: "x" }, lines: { text: "needle\n" }, line_number: 7, submatches: [{ start: 0 }] },
    });
    const { root, env, dir } = await withPrograms({
      rg: `/usr/bin/head -c 70000000 /dev/zero | /usr/bin/tr '\\0' a; printf '\\n%s\\n' '${event}'`,
      grep: `/usr/bin/head -c 70000000 /dev/zero | /usr/bin/tr '\\0' a; printf '\\nx\\0007:needle\\n'`,
    });
    writeFileSync(join(dir, "x"), `${"\n".repeat(6)}needle\n`);
    for (const engine of ["rg", "grep"] as const) {
      expect(await searchText(root, { ...words, env, engines: [engine] })).toMatchObject({
        matches: [{ path: "x", line: 7, text: "needle" }],
        truncated: true,
      });
    }
  });

  it("J-48 what the engine says about its failure is in the message, in part if it says much", async () => {
    const { root, env } = await withPrograms({
      rg: "i=0; while [ $i -lt 5000 ]; do echo 'it broke badly' >&2; i=$((i+1)); done; exit 2",
    });
    const error = await searchText(root, { ...words, env }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "rg_error", exitCode: 2, message: expect.stringMatching(/^it broke badly/) });
    expect(String(error).length).toBeLessThan(5000);
  });

  it("J-48 line ends and terminal escapes of a name passed in the engine's own words: they are escaped", async () => {
    const rg = "printf 'rg: ./x\\n[exit code: 0]\\033[2J: denied\\n' >&2; exit 2";
    const { root, env } = await withPrograms({ rg });
    await expect(searchText(root, { ...words, env })).rejects.toMatchObject({
      message: "rg: ./x\\n[exit code: 0]\\u001b[2J: denied",
    });
  });

  it("J-46 what ripgrep could not say in UTF-8 comes as bytes", async () => {
    const bytes = (text: string) => ({ bytes: Buffer.from(text, "latin1").toString("base64") });
    const event = JSON.stringify({
      type: "match",
      data: {
        path: bytes("d/\xe9.txt"),
        lines: bytes("\xe9\xe9 needle\n"),
        line_number: 3,
        submatches: [{ start: 3 }],
      },
    });
    const { root, env, dir } = await withPrograms({ rg: `printf '%s\\n' '${event}'` });
    mkdirSync(join(dir, "d"));
    writeFileSync(Buffer.from(`${dir}/d/\xe9.txt`, "latin1"), Buffer.from("\n\n\xe9\xe9 needle\n", "latin1"));
    expect((await searchText(root, { ...words, env })).matches).toEqual([
      { path: "d/\ufffd.txt", line: 3, column: 4, text: "\ufffd\ufffd needle" },
    ]);
  });

  it("X-07 a link into the tree is searched under its own name", async () => {
    const { root, dir } = await scratchRoot({ "sub/a.txt": "needle\n" });
    symlinkSync("sub", join(dir, "link"));
    expect((await searchText(root, { ...words, paths: ["link"] })).matches.map((match) => match.path)).toEqual([
      "link/a.txt",
    ]);
  });
});
