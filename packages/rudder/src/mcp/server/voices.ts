// Which agents' sockets a server has to serve: one small file in each agent's folder, so that a server that was killed
// and started again gives every agent its socket back.
import { readFileSync, rmSync } from "node:fs";
import { writeFileAtomic } from "@jeeves/state";
import { namesIn } from "../../haven/files/read-if-there.ts";
import { readId } from "../../ids.ts";
import { type Voice, voiceSchema } from "./control.ts";
import { agentPlaces, serverPlaces } from "./server-places.ts";

export async function rememberVoice(haven: string, voice: Voice): Promise<void> {
  await writeFileAtomic(agentPlaces(haven, voice.task_id).voice, `${JSON.stringify(voice)}\n`);
}

export function forgetVoice(haven: string, taskId: string): void {
  rmSync(agentPlaces(haven, taskId).voice, { force: true });
}

/** A socket that cannot be read belongs to no agent. */
export function readVoices(haven: string): Voice[] {
  const voices: Voice[] = [];
  for (const taskId of namesIn(serverPlaces(haven).agents)) {
    if (readId(taskId)?.kind !== "task") continue;
    try {
      const voice = voiceSchema.parse(JSON.parse(readFileSync(agentPlaces(haven, taskId).voice, "utf8")));
      if (voice.task_id === taskId) voices.push(voice);
    } catch {
      // Not ours to judge: its agent's folder may be half made, or half removed.
    }
  }
  return voices;
}
