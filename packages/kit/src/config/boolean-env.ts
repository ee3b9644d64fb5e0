// what counts as yes in an environment variable. Anything else, and nothing at all, is no.

export function parseBooleanEnv(value: string | undefined): boolean {
  return /^(1|true|yes|on)$/i.test(value?.trim() ?? "");
}
