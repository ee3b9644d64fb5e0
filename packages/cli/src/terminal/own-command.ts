// Hints name commands in the form in which this user starts them.

/** A command as the user types it: `jeeves WORDS`, or `npm start -- WORDS` where this process was started that way. */
export function ownCommand(words: string, env: NodeJS.ProcessEnv = process.env): string {
  return env.npm_lifecycle_event === "start" ? `npm start -- ${words}` : `jeeves ${words}`;
}
