// A rule about one task, carried out by a transaction that may touch the whole haven: always in the file store, in
// PostgreSQL for rules that read more than what is near their task.
import type { HavenReader, HavenStep, Ruling, Settled, TaskAtHand } from "./store.ts";

/** Asks the rule, and writes all of its effects or nothing. */
export async function changeTaskInStep<T>(
  step: HavenStep,
  taskId: string,
  rule: (task: TaskAtHand, view: HavenReader) => Ruling<T> | Promise<Ruling<T>>,
): Promise<Settled<T>> {
  const task = await step.task(taskId);
  const ruling = await rule(task, step);
  if (ruling.kind === "refused") return { ...ruling, nowMs: task.nowMs };
  const { effects, value } = ruling;
  if (effects.state !== undefined) await step.putTask(effects.state);
  if (effects.text !== undefined && effects.text !== task.stored.text)
    await step.writeArtefact(task.stored, effects.text);
  if (effects.assignment !== undefined) await step.putAssignment(effects.assignment);
  for (const line of effects.lines ?? []) await step.appendLog(taskId, line);
  if (effects.memory !== undefined) await step.writeMemory(effects.memory.id, effects.memory.text);
  for (const { stored, text } of effects.parents ?? []) await step.writeArtefact(stored, text);
  step.audit({ ...effects.audit, taskId });
  return { kind: "done", value };
}
