// The calls of a thread in the form that the bill needs.
import type { ContextCall } from "@jeeves/cut";
import type { ModelCall } from "./thread.ts";

/** Each call with what entered its context since the call before on its branch: the results of that call. */
export function contextCallsOf(calls: readonly ModelCall[]): ContextCall[] {
  return calls.map((call, index) => {
    const results: Record<string, number> = Object.create(null);
    // Before the first call there are none.
    for (const { tool, tokens } of calls[call.before ?? index - 1]?.results ?? []) {
      const name = tool || "(unknown)";
      results[name] = (results[name] ?? 0) + tokens;
    }
    const { cached, written, writtenForHour, plain, output, model } = call.usage;
    const { isFirst, promptTokens } = call;
    const branch = call.before === undefined ? {} : { before: call.before };
    return { model, cached, written, writtenForHour, plain, output, isFirst, ...branch, promptTokens, results };
  });
}
