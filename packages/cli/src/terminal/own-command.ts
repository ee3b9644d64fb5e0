// How the reader of our words calls us: `jeeves …`, or `npm start -- …` where that is how they did.
export function ownCommand(words: string, env: NodeJS.ProcessEnv = process.env): string {
  return env.npm_lifecycle_event === "start" ? `npm start -- ${words}` : `jeeves ${words}`;
}
