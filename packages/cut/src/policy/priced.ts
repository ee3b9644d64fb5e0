// a cut is a priced decision. What it saves is read again on every later turn; what it costs, if a part of it is
// asked for again, is one more turn over the whole context and the lines that come back. The unit is one plain input token.
import { recoveryCost, TOKEN_WORTH } from "../meter/rates.ts";
import { COEFFICIENTS } from "./coefficients.ts";
import { isDiff, isTooSmall } from "./gates.ts";
import { type Candidate, constantPolicy, type Policy } from "./policy.ts";
import type { Situation } from "./situation.ts";

/** How a level of JEEVES_POLICY weighs a cut. */
interface Level {
  /** Factor on the measured cost of a recovery: an agent that misses a line may also go astray. */
  readonly caution: number;
  /** The least that a cut must be worth. */
  readonly minValue: number;
  /** Whether a program's output may be shown in short: that pays on average, but more runs lose by it. */
  readonly takesShort: boolean;
}

type PolicyLevel = "careful" | "balanced" | "keen";
/** The levels of `JEEVES_POLICY`. */
export const LEVELS: Readonly<Record<PolicyLevel, Level>> = {
  careful: { caution: 2.7, minValue: 2_500, takesShort: false },
  balanced: { caution: 1.9, minValue: 0, takesShort: true },
  keen: { caution: 1, minValue: 0, takesShort: true },
};

const MIN_TOKENS = 400;
/** Leaving out lines that the session has risks nothing, but must be worth the marker. */
const MIN_UNSEEN_TOKENS = 100;

/** `JEEVES_POLICY`; careful unless it names another level. */
export function policyLevelOf(env: NodeJS.ProcessEnv): PolicyLevel {
  const word = env.JEEVES_POLICY?.trim().toLowerCase();
  return word === "balanced" || word === "keen" ? word : "careful";
}

/** The policy for one call: by price where the context is known, X-23's constants where it is not. */
export function policyFor(situation: Situation | undefined, env: NodeJS.ProcessEnv): Policy {
  if (situation?.contextTokens === undefined) return constantPolicy;
  return pricedPolicy({ ...situation, contextTokens: situation.contextTokens }, policyLevelOf(env));
}

/** Takes the candidate of the highest value above zero. */
export function pricedPolicy(
  known: Situation & { readonly contextTokens: number },
  level: PolicyLevel,
  coefficients = COEFFICIENTS,
): Policy {
  const situation = { ...known, coefficients };
  return {
    isOrder: false,
    gate({ text, isExact = true }) {
      if (isTooSmall(text, MIN_TOKENS)) return "too_small";
      return !isExact || isDiff(text) ? "never_pruned" : undefined;
    },
    choose(shownTokens, candidates) {
      const { caution, minValue, takesShort } = LEVELS[level];
      let best: (typeof candidates)[number] | undefined;
      let most = minValue;
      // Of a whole file what is asked for next comes back in small ranges where an outline names them, and in large blocks else.
      const hasOutline = situation.class === "read" && candidates.some(({ way }) => way === "outline");
      for (const candidate of candidates) {
        if (candidate.way === "short" && !takesShort) continue;
        if (candidate.way === "engine" && hasOutline) continue;
        const value = worthOf(shownTokens - candidate.tokens, candidate, situation, caution);
        // Leaving out lines that the session has is no risk, so any gain is enough.
        const least = candidate.way === "unseen" && best === undefined ? 0 : most;
        if (value > least) [best, most] = [candidate, value];
      }
      return best;
    },
    riskOf: (candidate) => riskOf(candidate, situation),
  };
}

interface Known extends Situation {
  readonly contextTokens: number;
  readonly coefficients: typeof COEFFICIENTS;
}

/** What a cut that saves so many tokens is worth. */
function worthOf(saved: number, candidate: Candidate, situation: Known, caution: number): number {
  if (candidate.way === "unseen") return saved >= MIN_UNSEEN_TOKENS ? saved * TOKEN_WORTH : 0;
  const { back } = coefficientsOf(candidate, situation);
  const risk = riskOf(candidate, situation);
  return saved * TOKEN_WORTH - caution * risk * recoveryCost(back * Math.max(0, saved), situation.contextTokens);
}

/** How likely it is that a part of a cut is asked for again. */
function riskOf(candidate: Candidate, situation: Known): number {
  if (candidate.way === "unseen") return 0;
  const { odds, repeated } = coefficientsOf(candidate, situation);
  return 1 / (1 + Math.exp(-(odds + repeated * (situation.repeated ?? 0))));
}

function coefficientsOf({ way }: Candidate, situation: Known) {
  const ways = situation.coefficients[way === "outline" || way === "short" ? way : "engine"];
  return { ...ways.classes[situation.class], repeated: ways.repeated };
}
