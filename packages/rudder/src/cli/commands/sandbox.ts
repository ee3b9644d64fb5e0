// rudder sandbox check|init (RU-20): is there one, what is missing and how to get it; and the settings that all agents of
// a haven start from.
import { existsSync } from "node:fs";
import { writeFileAtomic } from "@jeeves/state";
import { checkSandbox, type SandboxCheck } from "../../agent/sandbox/sandbox-check.ts";
import { baseSettingsPath } from "../../agent/sandbox/sandbox-for-agent.ts";
import { parseSrtSettings } from "../../agent/sandbox/srt-settings.ts";
import type { Answer } from "../../answers/answer.ts";
import { toTable } from "../../answers/table.ts";
import { requireHavenDir } from "../../haven/file-store.ts";
import { readIfThere } from "../../haven/files/read-if-there.ts";
import { layoutOf } from "../../haven/layout.ts";
import { RudderError } from "../../rudder-error.ts";
import type { Session } from "../session.ts";

const BASE = {
  network: { allowedDomains: [], deniedDomains: [], allowUnixSockets: [], allowAllUnixSockets: true },
  filesystem: { denyRead: [], allowWrite: [], denyWrite: [] },
};

/** `rudder sandbox check`; throws `sandbox_missing` where a part that is needed is missing. */
export async function check(session: Session): Promise<Answer> {
  const found = await checkSandbox(session);
  const settings = readIfThere(baseSettingsPath(session.place.haven));
  if (settings !== undefined) parseSrtSettings(settings, baseSettingsPath(session.place.haven));
  const text = toText(found);
  const json = {
    ready: found.isReady,
    platform: found.platform,
    parts: found.parts.map((part) => ({
      name: part.name,
      there: part.isThere,
      found: part.found,
      how_to: part.howTo ?? null,
    })),
  };
  if (found.isReady) return { json, text };
  const missing = found.parts.filter((part) => part.isNeeded && !part.isThere);
  throw new RudderError("sandbox_missing", `agents cannot be put into a sandbox here\n${text}`, {
    hint: missing.map((part) => `${part.name}: ${part.howTo ?? ""}`).join("\n"),
    details: { ...json, missing: missing.map((part) => part.name) },
  });
}

/** `rudder sandbox init`; a file that is there stays as it is. */
export async function init(session: Session): Promise<Answer> {
  requireHavenDir(layoutOf(session.place.haven));
  const path = baseSettingsPath(session.place.haven);
  const isNew = !existsSync(path);
  if (isNew) await writeFileAtomic(path, `${JSON.stringify(BASE, null, 2)}\n`);
  else parseSrtSettings(readIfThere(path) ?? "", path);
  const found = await checkSandbox(session);
  return {
    json: { path, made: isNew, ready: found.isReady },
    text: `${path} ${isNew ? "made" : "is there already: nothing to do"}`,
    notes: found.isReady ? [] : ["there is no sandbox here yet: rudder sandbox check says what is missing"],
  };
}

function toText(found: SandboxCheck): string {
  const rows = found.parts.map((part) => [part.name, part.isThere ? "ok" : "missing", part.found]);
  return toTable(["PART", "", "FOUND"], rows);
}
