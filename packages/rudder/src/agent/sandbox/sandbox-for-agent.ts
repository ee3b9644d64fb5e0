// Whether this agent gets a sandbox, and which settings: the haven's own, with what this agent needs added.
import { join } from "node:path";
import { homeOf } from "@jeeves/base";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { RudderError } from "../../rudder-error.ts";
import type { AgentContext } from "../agent-context.ts";
import type { AgentLayout } from "../agent-layout.ts";
import { checkSandbox } from "./sandbox-check.ts";
import { composeSrtSettings, NO_SETTINGS, parseSrtSettings, type SrtSettings } from "./srt-settings.ts";

/** `wanted` is undefined by default: then there is one if it can be had. */
export async function decideSandbox(
  context: AgentContext,
  wanted: boolean | undefined,
): Promise<{ readonly sandbox: boolean; readonly note?: string }> {
  if (wanted === false) return { sandbox: false };
  const check = await checkSandbox(context);
  if (check.isReady) return { sandbox: true };
  const missing = check.parts.filter((part) => part.isNeeded && !part.isThere).map((part) => part.name);
  // our own bridge to the haven needs no socat; the sandbox itself may.
  if (wanted === true && missing.every((name) => name === "socat")) {
    return { sandbox: true, note: "socat is missing: the sandbox may refuse to start without it" };
  }
  if (wanted === undefined) {
    return { sandbox: false, note: `no sandbox here (${missing.join(", ")} missing): rudder sandbox check says more` };
  }
  throw new RudderError("sandbox_missing", `there is no sandbox here: ${missing.join(", ")} missing`, {
    hint: "rudder sandbox check says how to get it; --no-sandbox goes without",
    details: { missing },
  });
}

/** The settings of one agent in this haven. */
export function settingsFor(
  context: AgentContext,
  facts: {
    readonly layout: AgentLayout;
    readonly place: string;
    readonly provider: string;
    readonly base: SrtSettings;
  },
): SrtSettings {
  const { layout, ...rest } = facts;
  return composeSrtSettings({
    ...rest,
    project: context.place.project,
    haven: context.place.haven,
    agentDir: layout.dir,
    logDir: layout.logDir,
    socket: layout.socket,
    home: homeOf(context.env),
    env: context.env,
    platform: process.platform,
  });
}

/** The haven's own settings, empty where it has none. Throws `broken_state` for a file that is none. */
export function baseSettings(context: AgentContext): SrtSettings {
  const path = baseSettingsPath(context.place.haven);
  const text = readIfThere(path);
  return text === undefined ? NO_SETTINGS : parseSrtSettings(text, path);
}

/** `rudder sandbox init` writes it; people add to it what all agents of the haven need. */
export function baseSettingsPath(haven: string): string {
  return join(haven, "srt-settings.json");
}
