// Tasks for the end of a command, whether it succeeded or failed. jeeves.ts runs them last.

const tasks = new Set<() => Promise<void>>();

/** Adds a task. The same function is run only once. */
export function atEnd(task: () => Promise<void>): void {
  tasks.add(task);
}

/** Runs the tasks one after the other, in the order in which they were added. */
export async function runAtEnd(): Promise<void> {
  for (const task of tasks) await task();
}
