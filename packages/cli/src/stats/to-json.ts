// The statistics as JSON: names in snake case, tokens rounded to whole ones.
import { headline } from "./figures.ts";
import type { Group } from "./groups.ts";
import { groupBy } from "./groups.ts";
import type { PromptFilling } from "./prompt-filling.ts";
import { lostOf, type Statistics } from "./statistics.ts";
import { billOf, netOf, netShareOf, type Sums, shadowNetOf } from "./sums.ts";

/** What `jeeves stats --json` prints. */
export function toJson(
  found: Statistics,
  { sinceMs, filling }: { readonly sinceMs: number; readonly filling: PromptFilling },
) {
  const { sessions, total, lost, others, othersTotal, byHand, transcripts } = found;
  const all = (name: keyof Sums) => total[name] + othersTotal[name];
  return {
    line: headline(found),
    since: new Date(sinceMs).toISOString(),
    sessions: sessions.length,
    sessions_lost: lost.length,
    bill: Math.round(billOf(total)),
    would_have_cost: Math.round(billOf(total) + netOf(total)),
    ...valuesOf(total),
    net_share: netShareOf(total),
    results_by_tool: Object.fromEntries(
      groupBy(sessions, "tool").flatMap(({ name, sums }) =>
        sums.results > 0 ? [[name, Math.round(sums.results)]] : [],
      ),
    ),
    shadow_net: Math.round(shadowNetOf(total) + shadowNetOf(othersTotal)),
    calls: total.calls,
    cuts: all("cuts"),
    older_cuts: all("olderCuts"),
    shadow_cuts: all("shadowCuts"),
    shadow_missed: all("shadowMissed"),
    raw_tokens: all("rawTokens"),
    shown_tokens: all("shownTokens"),
    kept_tokens: all("keptTokens"),
    recoveries: all("recoveries"),
    recovered_tokens: all("recoveredTokens"),
    asked_again: all("askedAgain"),
    stopped: all("stopped"),
    failures_made_visible: all("failuresVisible"),
    answers_made_visible: all("answersVisible"),
    recoveries_predicted: all("predicted"),
    recoveries_actual: all("actual"),
    cuts_with_prediction: all("riskCuts"),
    lost: lost.map(({ client, project, session, firstMs, total: sums }) => ({
      client,
      project,
      session,
      started: new Date(firstMs).toISOString(),
      net: Math.round(netOf(sums)),
    })),
    without_transcript: {
      sessions: others.length,
      sessions_lost: lostOf(others).length,
      net: Math.round(netOf(othersTotal)),
    },
    starting_prompt: {
      ...(filling.firstPrompt === undefined ? {} : { median_tokens: filling.firstPrompt }),
      parts: filling.parts.map(({ name, size }) => ({ name, tokens: size })),
      files: filling.files.map(({ path, size }) => ({ path, tokens: size })),
      servers: filling.servers,
    },
    by_hand: byHand,
    transcripts: {
      files: transcripts.files,
      unreadable: transcripts.unreadable,
      without_usage: transcripts.withoutUsage,
      left_out: transcripts.leftOut,
      torn_lines: transcripts.tornLines,
      long_lines: transcripts.longLines,
    },
  };
}

/** One row of `--by`. */
export function toJsonRow({ name, sessions, sums }: Group) {
  return {
    name,
    sessions,
    bill: Math.round(billOf(sums)),
    ...valuesOf(sums),
    net_share: netShareOf(sums),
    shadow_net: Math.round(shadowNetOf(sums)),
    cuts: sums.cuts,
    older_cuts: sums.olderCuts,
    shadow_cuts: sums.shadowCuts,
    recoveries: sums.recoveries,
    asked_again: sums.askedAgain,
    failures_made_visible: sums.failuresVisible,
    answers_made_visible: sums.answersVisible,
  };
}

function valuesOf(sums: Sums) {
  return {
    starting_prompt_cost: Math.round(sums.starting),
    cache_misses: Math.round(sums.misses),
    results: Math.round(sums.results),
    output: Math.round(sums.output),
    rest: Math.round(sums.rest),
    saved: Math.round(sums.saved),
    made_visible_cost: Math.round(sums.visible),
    came_back: Math.round(sums.back),
    surface: Math.round(sums.surface),
    net: Math.round(netOf(sums)),
  };
}
