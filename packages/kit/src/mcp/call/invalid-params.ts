// The -32602 contract (J-19…J-23): zod's issues become paths and codes; its messages are never sent to clients.
import type * as z from "zod";
import { INVALID_PARAMS, type RpcFailure } from "../json-rpc.ts";

/** One problem with a parameter: a dotted path, and zod's code, which is also the message. */
export interface ParamIssue {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

// A million wrong elements are one mistake; the first thousand are enough to see it.
const MAX_ISSUES = 1_000;
const MAX_LOGGED_ISSUES = 20;

type ZodIssue = z.core.$ZodIssue;

/** At most 1,000 issues without duplicates, sorted by path, then code (J-22). `under` is put before each path. */
export function toParamIssues(issues: readonly ZodIssue[], under: readonly string[] = []): readonly ParamIssue[] {
  const found = new Map<string, ParamIssue>();
  // Cut before sorting, so that a flood of issues costs little.
  for (const issue of flatten(issues, under)) {
    found.set(`${issue.path}\0${issue.code}`, issue);
    if (found.size === MAX_ISSUES) break;
  }
  return [...found.values()].sort((a, b) => compare(a.path, b.path) || compare(a.code, b.code));
}

/** An issue of our own, in the same form as zod's. */
export function paramIssue(path: string, code: string): ParamIssue {
  return { path, code, message: code };
}

/** The -32602 error. `fieldErrors` adds the list under its older name. */
export function invalidParams(
  issues: readonly ParamIssue[],
  where: { readonly method: string; readonly tool?: string | undefined; readonly fieldErrors?: boolean | undefined },
): RpcFailure {
  return {
    code: INVALID_PARAMS,
    message: "Invalid params",
    data: {
      jeeves: { schemaVersion: 1 },
      method: where.method,
      ...(where.tool === undefined ? {} : { tool: where.tool }),
      issues,
      // HTTP clients of the older draft read this name.
      ...(where.fieldErrors === true ? { field_errors: toFieldErrors(issues) } : {}),
    },
  };
}

function toFieldErrors(issues: readonly ParamIssue[]) {
  return issues.map(({ path, message }) => ({ field: path, message }));
}

/** The fields of a log event about wrong parameters: the first 20 issues. */
export function toLoggedIssues(issues: readonly ParamIssue[], options: { readonly fieldErrors: boolean }) {
  const logged = issues.slice(0, MAX_LOGGED_ISSUES);
  return { validation_errors: logged, ...(options.fieldErrors ? { field_errors: toFieldErrors(logged) } : {}) };
}

/** A generator, so that the caller can stop early. */
function* flatten(issues: readonly ZodIssue[], under: readonly string[]): Generator<ParamIssue> {
  for (const issue of issues) {
    const path = [...under, ...issue.path.map(String)];
    const inside = issue.code === "invalid_union" ? usefulBranch(issue.errors) : undefined;
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) yield paramIssue([...path, key].join("."), issue.code);
    } else if (inside !== undefined) {
      yield* flatten(inside, path);
    } else {
      yield paramIssue(path.join("."), issue.code);
    }
  }
}

/** The issues of the only branch that accepted the value's own type; undefined where none or several did. */
function usefulBranch(branches: readonly (readonly ZodIssue[])[]): readonly ZodIssue[] | undefined {
  const inside = branches.filter((branch) => branch.length > 0 && branch.every((each) => each.path.length > 0));
  return inside.length === 1 ? inside[0] : undefined;
}

// Code units, not a locale: the order must be the same on every machine.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
