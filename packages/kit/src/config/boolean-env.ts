// what counts as yes in an environment variable. Anything else, and nothing at all, is no.

/** Whether a variable of the environment is switched on: 1, true, yes or on. */
export function parseBooleanEnv(value: string | undefined): boolean {
  return /^(1|true|yes|on)$/i.test(value?.trim() ?? "");
}
