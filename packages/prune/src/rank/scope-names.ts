// What the names of a text's scopes say. It does not depend on the focus, so it is read once for all questions.
import type { Outline } from "../outline/outline.ts";
import { termsOf, wholeOf } from "../text/words.ts";

/** The names of the scopes of an outline. */
interface ScopeNames {
  /** Each name of a function or class, numbered. */
  readonly names: ReadonlyMap<string, number>;
  /** Per number the scopes of that name. */
  readonly holders: readonly (readonly number[])[];
  /** Per scope the terms of its name. */
  readonly terms: readonly (readonly string[])[];
  /** Per scope 1 where it is a test or in one. */
  readonly isTest: Float64Array;
  /** Per scope 1 where its name tells that it is private, and where it is a constructor's. */
  readonly isHidden: Float64Array;
  readonly isMaker: Float64Array;
}

const TEST_NAME = /^(?:tests?$|test_|Test[A-Z_]|Benchmark[A-Z]|(?:it|test|describe|bench)(?:\.\w+)? )|_test$/;
/** The names of constructors, where an object's state is set up. */
const MAKER = /^(?:__init__|__new__|constructor|__construct|initialize|new|New[A-Z]\w*|init)$/;
const SHORTEST = 3;

const known = new WeakMap<Outline, ScopeNames>();

/** The names of an outline's scopes, remembered by the outline. */
export function scopeNames(outline: Outline): ScopeNames {
  const found = known.get(outline) ?? readNames(outline);
  known.set(outline, found);
  return found;
}

function readNames({ scopes }: Outline): ScopeNames {
  const names = new Map<string, number>();
  const holders: number[][] = [];
  const isTest = new Float64Array(scopes.length);
  const isHidden = new Float64Array(scopes.length);
  const isMaker = new Float64Array(scopes.length);
  scopes.forEach(({ kind, name, parent }, i) => {
    if (i > 0 && (isTest[parent] === 1 || TEST_NAME.test(name))) isTest[i] = 1;
    if (name.startsWith("_") || name.startsWith("#")) isHidden[i] = 1;
    if (MAKER.test(name)) isMaker[i] = 1;
    if (kind !== "function" && kind !== "class") return;
    const whole = wholeOf(name);
    if (whole.length < SHORTEST) return;
    const id = names.get(whole) ?? names.size;
    if (id === names.size) {
      names.set(whole, id);
      holders.push([]);
    }
    holders[id]?.push(i);
  });
  return { names, holders, terms: scopes.map(({ name }) => termsOf(name)), isTest, isHidden, isMaker };
}
