// Configuration: what is accepted, and that a refusal tells the reader everything needed to put it right.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  parseBooleanEnv,
  parseConfig,
  parseConfigLeniently,
  toConfigHelp,
  toConfigMessage,
  usageFor,
} from "../../src/config/index.ts";

const schema = z.object({
  ENGINE: z.enum(["auto", "remote"]).default("auto").describe("which engine prunes"),
  TIMEOUT_MS: z.coerce.number().int().min(100).max(300_000).default(30_000).describe("how long to wait"),
  TOOLS: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(["read", "grep"])).min(1))
    .default(["read", "grep"])
    .describe("the tools to offer"),
  ROOT: z.string().optional(),
});
const flags = { engine: "ENGINE", "timeout-ms": "TIMEOUT_MS" };

describe("booleans", () => {
  it("X-13 only 1, true, yes and on are yes", () => {
    for (const yes of ["1", "true", "YES", " On "]) expect(parseBooleanEnv(yes)).toBe(true);
    for (const no of [undefined, "", "0", "false", "no", "off", "2", "truee", "y"])
      expect(parseBooleanEnv(no)).toBe(false);
  });
});

describe("strict", () => {
  it("gives a value with its defaults, and nothing of the rest of the environment", () => {
    expect(parseConfig(schema, { env: { TIMEOUT_MS: "500", HOME: "/x" } })).toEqual({
      ok: true,
      value: { ENGINE: "auto", TIMEOUT_MS: 500, TOOLS: ["read", "grep"] },
    });
  });

  it("names every bad variable, its value and what would be valid", () => {
    const parsed = parseConfig(schema, { env: { ENGINE: "gpu", TIMEOUT_MS: "5", TOOLS: "read,write" } });
    expect(parsed).toEqual({
      ok: false,
      issues: [
        { name: "ENGINE", value: "gpu", expected: "one of auto, remote" },
        { name: "TIMEOUT_MS", value: "5", expected: "an integer from 100 to 300000" },
        { name: "TOOLS", value: "read,write", expected: "a list, each one of read, grep" },
      ],
    });
    expect(toConfigMessage({ name: "ENGINE", value: "gpu", expected: "one of auto, remote" })).toBe(
      'ENGINE="gpu": expected one of auto, remote',
    );
  });

  it("X-15 what the schema calls a secret is not shown, wrong as it may be", () => {
    const secret = z.object({ KEY: z.string().min(9).optional().describe("opens the door").meta({ secret: true }) });
    const issuesFor = (KEY: string) => parseConfig(secret, { env: { KEY } });
    expect(issuesFor("hunter2")).toMatchObject({ issues: [{ name: "KEY", value: "(not shown)" }] });
    expect(issuesFor("")).toMatchObject({ issues: [{ name: "KEY", value: "" }] });
    expect(toConfigHelp(secret)).toContain("opens the door");
  });

  it("names every mistake at once: a flag that is none, and a value that is wrong", () => {
    const args = ["--nope", "--timeout-ms", "5"];
    expect(parseConfig(schema, { env: { ENGINE: "gpu" }, argv: { args, flags } })).toMatchObject({
      issues: [{ name: "--nope" }, { name: "ENGINE" }, { name: "--timeout-ms", value: "5" }],
    });
  });

  it("takes a flag before the variable, and then names the flag", () => {
    const env = { ENGINE: "auto" };
    expect(parseConfig(schema, { env, argv: { args: ["--engine=remote"], flags } })).toMatchObject({
      value: { ENGINE: "remote" },
    });
    expect(parseConfig(schema, { env, argv: { args: ["--engine", "gpu"], flags } })).toEqual({
      ok: false,
      issues: [{ name: "--engine", value: "gpu", expected: "one of auto, remote" }],
    });
  });

  it.each([
    [["--nope", "1"], "--nope", ""],
    [["--nope=1"], "--nope", "1"],
    [["word"], "argument", "word"],
    [["-e"], "-e", ""],
    [["--constructor=1"], "--constructor", "1"],
  ])("refuses %j, and says which flags there are", (args, name, value) => {
    const parsed = parseConfig(schema, { env: {}, argv: { args, flags } });
    if (parsed.ok) throw new Error("accepted");
    expect(parsed.issues[0]).toEqual({ name, value, expected: "--engine, --timeout-ms" });
  });

  it("J-04 a program without flags refuses every argument; a flag without its value is refused", () => {
    expect(parseConfig(schema, { env: {}, argv: { args: ["x"], flags: {} } })).toMatchObject({
      issues: [{ expected: "no arguments" }],
    });
    expect(parseConfig(schema, { env: {}, argv: { args: ["--engine"], flags } })).toMatchObject({
      issues: [{ name: "--engine", expected: "a value after it" }],
    });
  });

  it("a rule over several fields says what its author wrote", () => {
    const rule = schema.refine(() => false, { path: ["ROOT"], error: "a root beside the engine" });
    expect(parseConfig(rule, { env: { ROOT: "/r" } })).toEqual({
      ok: false,
      issues: [{ name: "ROOT", value: "/r", expected: "a root beside the engine" }],
    });
  });
});

describe("lenient", () => {
  it("X-12 a bad value becomes its default and a warning; the good ones stay", () => {
    const { value, issues } = parseConfigLeniently(schema, { env: { ENGINE: "gpu", TIMEOUT_MS: "", ROOT: "/r" } });
    expect(value).toEqual({ ENGINE: "auto", TIMEOUT_MS: 30_000, TOOLS: ["read", "grep"], ROOT: "/r" });
    expect(issues.map((issue) => issue.name)).toEqual(["ENGINE", "TIMEOUT_MS"]);
  });

  it("X-12 no issue where nothing is wrong", () => {
    expect(parseConfigLeniently(schema, { env: { ENGINE: "remote" } })).toMatchObject({
      value: { ENGINE: "remote" },
      issues: [],
    });
  });
});

describe("help", () => {
  it("a mistyped flag gets the one that was probably meant", () => {
    const [issue] = parseConfigLeniently(schema, { env: {}, argv: { args: ["--engin=auto"], flags } }).issues;
    expect(issue?.expected).toMatch(/; did you mean --engine\?$/);
    const [far] = parseConfigLeniently(schema, { env: {}, argv: { args: ["--xyzzy"], flags } }).issues;
    expect(far?.expected).not.toContain("did you mean");
  });

  it("--version and -v give the version, --help and -h the help", () => {
    for (const asked of ["-v", "--version"]) expect(usageFor([asked], () => "help")).toMatch(/^\d+\.\d+\.\d+\n$/);
    for (const asked of ["-h", "--help"]) expect(usageFor([asked], () => "help")).toBe("help");
    expect(usageFor(["--port", "1"], () => "help")).toBeUndefined();
  });

  it("a flag with a field of its own is named once", () => {
    const own = z.object({ "--host": z.string().describe("address") });
    expect(toConfigHelp(own, { flags: { host: "--host" } })).toBe("  --host  address (text)\n");
  });

  it("lists every field with its flag, description, values and default", () => {
    expect(toConfigHelp(schema, { flags })).toBe(
      [
        "  --engine, ENGINE          which engine prunes (one of auto, remote; default auto)",
        "  --timeout-ms, TIMEOUT_MS  how long to wait (an integer from 100 to 300000; default 30000)",
        "  TOOLS                     the tools to offer (a list, each one of read, grep; default read,grep)",
        "  ROOT                      text",
        "",
      ].join("\n"),
    );
  });
});
