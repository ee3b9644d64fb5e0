// What a command still wants to do when it is over, whether it went well or not. The front door does it last.

const tasks = new Set<() => Promise<void>>();

export function atEnd(task: () => Promise<void>): void {
  tasks.add(task);
}

export async function runAtEnd(): Promise<void> {
  for (const task of tasks) await task();
}
