// A question to the person at the terminal, answered by yes or no.
import { once } from "node:events";
import { createInterface } from "node:readline/promises";

/** Whether a person can answer: both ends are terminals. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Ctrl-C and Ctrl-D mean no. `yes`: an empty line means yes. */
export async function ask(question: string, { yes = false } = {}): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Depending on its version, readline rejects then, or only closes.
  const closed = once(terminal, "close").then(() => "n");
  const answered = terminal.question(`${question} ${yes ? "[Y/n]" : "[y/N]"} `).catch(() => "n");
  try {
    const answer = (await Promise.race([answered, closed])).trim();
    return answer === "" ? yes : /^y(?:es)?$/i.test(answer);
  } finally {
    terminal.close();
  }
}
