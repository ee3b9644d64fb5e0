import { execFileSync } from "node:child_process";
import { userInfo } from "node:os";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  homeOf,
  isPruneId,
  isRecord,
  oneLine,
  parseCount,
  parsePort,
  pruneIdsIn,
  shellQuote,
  shownName,
  shownText,
  systemCodeOf,
} from "../src/index.ts";

describe("isRecord", () => {
  it("is true for plain objects only", () => {
    expect([{}, { a: 1 }, Object.create(null)].map(isRecord)).toEqual([true, true, true]);
    expect([null, undefined, [], "a", 1, () => {}].some(isRecord)).toBe(false);
  });
});

describe("systemCodeOf", () => {
  it("reads the code of system errors only", () => {
    expect(systemCodeOf(Object.assign(new Error("x"), { code: "ENOENT" }))).toBe("ENOENT");
    expect(systemCodeOf(Object.assign(new Error("x"), { code: 7 }))).toBeUndefined();
    expect([new Error("x"), { code: "ENOENT" }, "ENOENT", null].map(systemCodeOf)).toEqual(Array(4).fill(undefined));
  });
});

describe("shellQuote", () => {
  it("a shell reads every word back as it was", () => {
    const words = ["plain", "", "two words", "it's", '$HOME `id` \\ "x" !', "-n", "*", "a\nb", "é", "~", "#x", ";"];
    const script = `for word in ${words.map(shellQuote).join(" ")}; do printf '%s\\0' "$word"; done`;
    expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(words);
  });

  it("X-29 a quoted word is one word to a shell, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        // As a shell reads it, from the left: a quoted run, an escaped quote, or a character without a meaning to it.
        const parts = shellQuote(text).match(/'[^']*'|\\'|[\w@%+=:,./-]|./gs) ?? [];
        const read = parts.map((part) => {
          expect(part).toMatch(/^(?:'[^']*'|\\'|[\w@%+=:,./-])$/);
          return part.startsWith("'") ? part.slice(1, -1) : part.replace("\\", "");
        });
        expect(read.join("")).toBe(text);
      }),
    );
  });

  it("leaves words alone that need no quotes", () => {
    expect(shellQuote("--state-dir=/a/b.c")).toBe("--state-dir=/a/b.c");
  });
});

describe("shownName", () => {
  it("leaves names alone that are safe to print, and escapes line ends, terminal codes and direction marks", () => {
    for (const name of ["src/a b.ts", "é 漢字 😀.md", 'say "hi".txt', "a\\nb"]) expect(shownName(name)).toBe(name);
    expect(shownName("r\n[exit code: 0]")).toBe('"r\\n[exit code: 0]"');
    expect(shownName('a"\u001b[2J\u007f\u009b\u2028\u202e')).toBe('"a\\"\\u001b[2J\\u007f\\u009b\\u2028\\u202e"');
  });

  it("characters that cannot be seen passed, and a name could look like another one's escaped form", () => {
    for (const unseen of ["\u200b", "\u200e", "\u200f", "\u061c", "\u2060", "\ufeff", "\u{e0041}"]) {
      expect(JSON.parse(shownName(`a${unseen}b`))).toBe(`a${unseen}b`);
    }
    expect(shownName('"a\\nb"')).toBe('"\\"a\\\\nb\\""');
    expect(shownName("👩‍💻.md")).toBe("👩‍💻.md");
    expect(shownText("no such file: r\n[exit code: 0]")).toBe("no such file: r\\n[exit code: 0]");
  });

  it("a shown name is one line, and JSON gives the name back where it was escaped", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const shown = shownName(name);
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(shown.startsWith('"') ? JSON.parse(shown) : shown).toBe(name);
      }),
    );
  });
});

describe("oneLine", () => {
  it("gives one line without control characters", () => {
    expect(oneLine("plain words")).toBe("plain words");
    expect(oneLine(" a\n\tb\r\n  c ")).toBe("a b c");
    expect(oneLine("a\u001b[31mred\u0007\u0000b\u009bc")).toBe("a [31mred b c");
    expect(oneLine("a\u2028b\u2029c\u202ed\u2066e\ud800f")).toBe("a b c d e f");
    expect(oneLine("naïve 🎩 日本")).toBe("naïve 🎩 日本");
  });

  it("cuts at the limit, counts characters and never splits one", () => {
    expect(oneLine("12345", 5)).toBe("12345");
    expect(oneLine("123456", 5)).toBe("1234…");
    expect(oneLine("🎩🎩🎩🎩🎩", 5)).toBe("🎩🎩🎩🎩🎩");
    expect(oneLine("🎩🎩🎩🎩🎩🎩", 5)).toBe("🎩🎩🎩🎩…");
    expect(oneLine("1234\n\n\n", 5)).toBe("1234");
  });

  it("marks a text that it did not read to its end", () => {
    expect(oneLine(`${" ".repeat(1_000)}word`, 5)).toBe("…");
    expect(oneLine("x".repeat(10_000_000), 3)).toBe("xx…");
  });
});

describe("parseCount, parsePort", () => {
  it("take decimal digits within the limits, and nothing else", () => {
    expect([parseCount("1"), parseCount("007"), parseCount("999999999")]).toEqual([1, 7, 999_999_999]);
    const wrong = ["", " 1", "1 ", "0", "-1", "+1", "1.0", "1e3", "0x10", "١", "1000000000", "9".repeat(30)];
    expect(wrong.filter((text) => parseCount(text) !== undefined)).toEqual([]);
    expect(parseCount("0", { min: 0 })).toBe(0);
    expect(parseCount("11", { max: 10 })).toBeUndefined();
    expect([parsePort("0"), parsePort("65535"), parsePort("65536"), parsePort("")]).toEqual([
      0,
      65_535,
      undefined,
      undefined,
    ]);
  });
});

describe("prune ids", () => {
  it("are recognised alone and inside a text", () => {
    expect(isPruneId("prn_abcdefghij27")).toBe(true);
    const wrong = [
      "prn_abcdefghij2",
      "prn_abcdefghij277",
      "prn_abcdefghij21",
      "PRN_abcdefghij27",
      "prn_abcdefghij27\n",
    ];
    expect(wrong.filter(isPruneId)).toEqual([]);
    const text = "recover_text prn_abcdefghij27] and (prn_zzzzzzzzzzzz), prn_abcdefghij27; not xprn_abcdefghij27";
    expect(pruneIdsIn(text)).toEqual(["prn_abcdefghij27", "prn_zzzzzzzzzzzz"]);
    expect(pruneIdsIn("none")).toEqual([]);
  });
});

describe("homeOf", () => {
  it("takes HOME where it is absolute", () => {
    expect(homeOf({ HOME: "/home/someone" })).toBe("/home/someone");
  });

  it.each(["", "here", "./here"])("a HOME of %j does not put files into the current directory", (HOME) => {
    const before = process.env.HOME;
    process.env.HOME = HOME; // os.homedir() reads it
    try {
      expect(homeOf(process.env)).toBe(userInfo().homedir);
    } finally {
      if (before === undefined) delete process.env.HOME;
      else process.env.HOME = before;
    }
  });
});
