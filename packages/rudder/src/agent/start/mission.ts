// The mission of an agent: `mission.yaml` (RU-18), checked when it is written and when it is read, and the prompt that
// is made of it.
import { parse, stringify } from "yaml";
import * as z from "zod";
import type { Artefact } from "../../artefact/artefact.ts";
import { readId } from "../../ids.ts";
import { RudderError } from "../../rudder-error.ts";

const idOf = (kind: "task" | "epic" | "prd") =>
  z.string().refine((text) => readId(text)?.kind === kind, { error: `the id of a ${kind}` });

/** The form of `mission.yaml`. */
export const missionSchema = z.strictObject({
  version: z.literal("1"),
  task_id: idOf("task"),
  epic_id: idOf("epic").nullable(),
  prd_id: idOf("prd").nullable(),
  instruction: z.string().trim().min(1),
  context: z.record(z.string(), z.unknown()),
  constraints: z.strictObject({
    max_files: z.int().positive(),
    no_git_commit: z.boolean(),
    no_new_deps: z.boolean(),
  }),
  /** Seconds. */
  timeout: z.number().positive(),
});
export type Mission = z.infer<typeof missionSchema>;

const MAX_FILES = 50;

interface MissionFacts {
  readonly task: Artefact;
  readonly name: string;
  readonly cwd: string;
  readonly branch: string | undefined;
  readonly sandbox: boolean;
  readonly timeoutS: number;
}

/** The mission for a task: at most 50 files, no new dependencies, and no commits in a sandbox. */
export function composeMission(facts: MissionFacts): Mission {
  const { task } = facts;
  return missionSchema.parse({
    version: "1",
    task_id: task.id,
    epic_id: task.epic ?? null,
    prd_id: task.prd ?? null,
    instruction: `Do task ${task.id}: ${task.title}`,
    context: {
      agent: facts.name,
      cwd: facts.cwd,
      ...(facts.branch === undefined ? {} : { branch: facts.branch }),
      task_file: task.path,
      waits_for: [...task.blockedBy],
    },
    constraints: {
      max_files: MAX_FILES,
      // In the sandbox the repository itself cannot be written: `agent reap --commit` does it later.
      no_git_commit: facts.sandbox,
      no_new_deps: true,
    },
    timeout: facts.timeoutS,
  });
}

export function toMissionFile(mission: Mission): string {
  return stringify(mission);
}

/** Parses `mission.yaml`; throws `broken_state` where the text is no mission. */
export function parseMissionFile(text: string, path: string): Mission {
  const parsed = missionSchema.safeParse(readYaml(text));
  if (parsed.success) return parsed.data;
  throw new RudderError(
    "broken_state",
    `${path} is no mission: ${z.prettifyError(parsed.error).replace(/\s+/g, " ")}`,
    {
      hint: "spawn the agent again: that writes a new one",
      details: { path },
    },
  );
}

function readYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The prompt: its first step loads the context of the task from the server. */
export function toPrompt(mission: Mission): string {
  const { task_id: id, constraints, context } = mission;
  return [
    `${mission.instruction}.`,
    "",
    `You are ${String(context.agent)}. The task is claimed for you already. You work in ${String(context.cwd)}, and change nothing outside it.`,
    `1. Call the tool context_load of the server rudder with {"operation": "${id}"}: the task's text, what it waits for, and what others learned.`,
    "2. Do the task.",
    `3. Log what the next one needs to know with task_log: {"task_id": "${id}", "message": "…", "level": "tip"}.`,
    `4. When it is done, call assign_release with {"task_id": "${id}"}. If you are stuck, log why as error, and stop.`,
    "",
    `Change at most ${constraints.max_files} files.${constraints.no_new_deps ? " Add no dependencies." : ""}${constraints.no_git_commit ? " Do not commit: your changes are taken from the directory as it is." : " Commit what you did."}`,
  ].join("\n");
}
