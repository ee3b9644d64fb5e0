// The plan of `jeeves setup` as one screen for people.
import { homeOf, traitsOf } from "@jeeves/base";
import { dataLayoutOf } from "../launchers/data-layout.ts";
import { ownCommand } from "../terminal/own-command.ts";
import type { Paint } from "../terminal/paint.ts";
import { ageOf } from "../versions.ts";
import { type ClientPlan, isToDo } from "./plan-setup.ts";

const SIGNS = { make: "+", change: "~", "take out": "-" } as const;

/** The lines of the plan. */
export function planLines(plans: readonly ClientPlan[], env: NodeJS.ProcessEnv, paint: Paint): string[] {
  const short = (path: string) => shortPath(path, env);
  const previews = plans.flatMap((plan) => plan.previews);
  const width = Math.max(0, ...previews.map(({ path }) => short(path).length));
  const lines = plans.flatMap((plan) => [
    `  ${paint("bold", plan.client.title)}${plan.version === undefined ? "" : ` ${plan.version}`}${stateOf(plan, paint)}`,
    ...plan.previews.flatMap(({ path, verb, what = "" }) => {
      if (verb === "keep") return [];
      const words = verb === "take out" ? "ours goes from here" : what;
      return `    ${paint("green", SIGNS[verb])} ${short(path).padEnd(width)}  ${paint("dim", words)}`;
    }),
    ...(plan.lacks === undefined ? [] : [`    ${paint("yellow", "·")} ${lackWords(plan.lacks)}`]),
    ...(plan.refused === undefined
      ? []
      : [`    ${paint("red", "✗")} ${plan.refused.message}`, `      ${plan.refused.hint}`]),
  ]);
  if (!plans.some(isToDo)) return lines;
  return [
    ...lines,
    "",
    `  What they start is in ${short(dataLayoutOf(env).bin)}. Your settings keep all that is in them, with a`,
    `  backup of each file in ${short(dataLayoutOf(env).notes)}; ${paint("bold", ownCommand("uninstall"))} takes everything out again.`,
  ];
}

function lackWords({ what, mend }: NonNullable<ClientPlan["lacks"]>): string {
  return mend === undefined ? what : `${what}: ${mend}`;
}

function stateOf(plan: ClientPlan, paint: Paint): string {
  const { client, version, plugin } = plan;
  const traits = traitsOf(client.name);
  const age = ageOf(version, traits);
  const about =
    version === undefined && client.isProgram
      ? "; does not say its version"
      : age === "older"
        ? `; older than ${traits.testedVersion}, the oldest that was tried: update it`
        : age === "newer"
          ? `; newer than ${traits.newestVersion}, the newest that was tried`
          : "";
  if (plugin !== undefined) return paint("dim", `  has the plugin ${plugin}: nothing to write${about}`);
  if (plan.refused !== undefined || isToDo(plan)) return paint("dim", about.replace("; ", "  "));
  return paint("dim", `  connected: nothing to write${about}`);
}

/** With ~ for the home directory. */
export function shortPath(path: string, env: NodeJS.ProcessEnv): string {
  const home = homeOf(env);
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
