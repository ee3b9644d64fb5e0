// What the caller of one call may not read: stored texts and the token, the globs of MCP_PRUNER_DENY, and what its
// client's own permission rules forbid at this moment.
import { realpath } from "node:fs/promises";
import { knownClientOf, type ToolCall } from "@jeeves/kit/mcp";
import { homeOf, privatePlaces } from "@jeeves/state";
import {
  createClientRules,
  createPrivateRules,
  currentDenyRules,
  faultOfGlob,
  joinRules,
  type ReadRules,
  type Root,
} from "@jeeves/workspace";
import type { Config } from "./config.ts";

const SETTING = "MCP_PRUNER_DENY";

/** Gives the read rules for the client of a call, as its settings are at that moment. */
export type RulesOfCall = (call: Pick<ToolCall, "client" | "events">) => Promise<ReadRules>;

/** The rules of one root. A client's rule that cannot be understood is the event `mcp_pruner.rule_invalid`. */
export function createRulesOfCall({
  root,
  config,
  env,
}: {
  readonly root: Root;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
}): RulesOfCall {
  const home = homeOf(env);
  const clients = createClientRules(root, { env, home });
  const homes = realpath(home).then(
    (real) => [...new Set([home, real])],
    () => [home],
  );
  return async ({ client, events }) => {
    const rules = await clients.current(knownClientOf(client), (problem) =>
      events.emit("warn", "mcp_pruner.rule_invalid", problem),
    );
    const own = createPrivateRules(await privatePlaces(env));
    const denied = await currentDenyRules(root, {
      globs: config.MCP_PRUNER_DENY,
      source: SETTING,
      homes: await homes,
    });
    return joinRules([own, denied, rules]);
  };
}

/** The globs that cannot be compiled, as issues of the configuration; they deny everything under their literal prefix. */
export function denyIssues(config: Config): DenyIssue[] {
  return config.MCP_PRUNER_DENY.flatMap((glob) => {
    const fault = faultOfGlob(glob);
    return fault === undefined ? [] : [{ name: SETTING, value: glob, expected: `a glob (${fault})` }];
  });
}

/** A setting that is wrong: its name, its value, and what would be valid. */
interface DenyIssue {
  readonly name: string;
  readonly value: string;
  readonly expected: string;
}
