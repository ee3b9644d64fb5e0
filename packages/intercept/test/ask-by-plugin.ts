// A session of a client whose hooks send results as `{output}` and the facts of the session with each call.
import type { HookAnswer } from "../src/index.ts";
import { type given, QUESTION } from "./given.ts";

/** Asks about calls in the name of a client; each has an id of its own. */
export function askerOf({ handle }: Pick<Awaited<ReturnType<typeof given>>, "handle">, client: string) {
  let calls = 0;
  return (moment: string, tool: string, input: object, response?: unknown) =>
    handle(
      {
        ...{ hook_event_name: moment, tool_name: tool, tool_input: input, tool_response: response },
        ...{ own_server: "jeeves", tool_use_id: `call_${++calls}`, transcript_path: undefined },
        session_facts: { user: QUESTION, context_tokens: 20_000, calls: ["call_1"] },
      },
      client,
    );
}

/** The text that stands in a result's place. */
export function outputIn(answer: HookAnswer | undefined): string {
  const output = answer?.kind === "replace" ? (answer.output as { output?: string }).output : undefined;
  if (output === undefined) throw new Error(`not replaced: ${JSON.stringify(answer)}`);
  return output;
}
