// The codes and paths of -32602, frozen: an upgrade of zod that renames one goes red here.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { invalidParams, toParamIssues } from "../../../src/mcp/call/invalid-params.ts";

const issuesOf = (schema: z.ZodType, value: unknown, under?: readonly string[]) =>
  toParamIssues(schema.safeParse(value).error?.issues ?? [], under).map(({ path, code }) => [path, code]);

describe("issues", () => {
  it.each<[string, z.ZodType, unknown, [string, string][]]>([
    ["a wrong type", z.string(), 1, [["", "invalid_type"]]],
    ["a missing field", z.object({ a: z.string() }), {}, [["a", "invalid_type"]]],
    ["a null", z.object({ a: z.string().optional() }), { a: null }, [["a", "invalid_type"]]],
    ["a fraction", z.int(), 1.5, [["", "invalid_type"]]],
    ["a number that is too small", z.number().min(1), 0, [["", "too_small"]]],
    ["a text that is too long", z.string().max(1), "ab", [["", "too_big"]]],
    ["a number that is no multiple", z.number().multipleOf(2), 3, [["", "not_multiple_of"]]],
    ["a text that does not match", z.string().regex(/^a$/), "b", [["", "invalid_format"]]],
    ["a value outside a list", z.enum(["a"]), "b", [["", "invalid_value"]]],
    ["a literal", z.literal("a"), "b", [["", "invalid_value"]]],
    ["a rule of our own", z.string().refine(() => false), "b", [["", "custom"]]],
    ["a bad key", z.record(z.string().regex(/^A$/), z.string()), { b: "x" }, [["b", "invalid_key"]]],
    ["a bad value under a key", z.record(z.string(), z.string()), { b: 1 }, [["b", "invalid_type"]]],
    ["an element", z.array(z.string()), ["a", 1], [["1", "invalid_type"]]],
    [
      "unknown keys, each by name",
      z.strictObject({}),
      { b: 1, a: 1 },
      [
        ["a", "unrecognized_keys"],
        ["b", "unrecognized_keys"],
      ],
    ],
    ["no branch at all", z.union([z.string(), z.number()]), true, [["", "invalid_union"]]],
    [
      "the one branch that fits outside",
      z.union([z.string(), z.object({ a: z.int() })]),
      { a: "x" },
      [["a", "invalid_type"]],
    ],
    [
      "several branches that fit outside",
      z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
      {},
      [["", "invalid_union"]],
    ],
    [
      "a discriminator that is unknown",
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") })]),
      { kind: "b" },
      [["kind", "invalid_union"]],
    ],
  ])("X-16 %s", (_what, schema, value, expected) => {
    expect(issuesOf(schema, value)).toEqual(expected);
  });

  it("J-21 the path is joined by dots, under what it was found in, and the message is the code", () => {
    const schema = z.object({ a: z.array(z.object({ b: z.string() })) });
    expect(toParamIssues(schema.safeParse({ a: [{}] }).error?.issues ?? [], ["arguments"])).toEqual([
      { path: "arguments.a.0.b", code: "invalid_type", message: "invalid_type" },
    ]);
  });

  it("J-22 issues are sorted by path, then code, by code units, and none comes twice", () => {
    const path = fc.array(fc.constantFrom("a", "B", "ä", "0", "10", "2", "_"), { maxLength: 3 });
    const issue = fc.oneof(
      path.map((path) => ({ code: "custom" as const, path, message: "secret" })),
      path.map((path) => ({
        code: "too_big" as const,
        path,
        message: "secret",
        origin: "string" as const,
        maximum: 1,
      })),
    );
    fc.assert(
      fc.property(fc.array(issue), (issues) => {
        const keys = toParamIssues(issues).map((each) => `${each.path}\0${each.code}`);
        const wanted = new Set(issues.map((each) => `${each.path.join(".")}\0${each.code}`));
        expect(keys).toEqual([...wanted].sort());
      }),
    );
  });
});

describe("many issues", () => {
  it("J-22 of a flood, the first thousand are told", () => {
    const flood = Array.from({ length: 5_000 }, () => 1);
    expect(issuesOf(z.array(z.string()), flood)).toHaveLength(1_000);
  });

  it("J-22 of unknown keys too, and what comes after the first thousand is not even looked at", () => {
    let looked = 0;
    const keys = Array.from({ length: 2_000 }, (_, index) => `k${index}`);
    const issue = {
      code: "unrecognized_keys" as const,
      keys,
      message: "secret",
      get path() {
        looked += 1;
        return [`p${looked}`];
      },
    };
    expect(toParamIssues(Array(50).fill(issue))).toHaveLength(1_000);
    expect(looked).toBe(1);
  });

  it("J-22 a list that is too long is one issue: zod looks at its length before its elements", () => {
    expect(issuesOf(z.array(z.string()).min(1).max(3), [1, 2, 3, 4])).toEqual([["", "too_big"]]);
  });
});

describe("the error", () => {
  it("J-20 X-14 names method and tool, and adds field_errors only where asked", () => {
    const issues = [{ path: "arguments.a", code: "custom", message: "custom" }];
    expect(invalidParams(issues, { method: "tools/list" }).data).toEqual({
      jeeves: { schemaVersion: 1 },
      method: "tools/list",
      issues,
    });
    expect(invalidParams(issues, { method: "tools/call", tool: "read", fieldErrors: true }).data).toEqual({
      jeeves: { schemaVersion: 1 },
      method: "tools/call",
      tool: "read",
      issues,
      field_errors: [{ field: "arguments.a", message: "custom" }],
    });
  });
});
