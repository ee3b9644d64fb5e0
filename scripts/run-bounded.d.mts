/** Runs a program to its end, or until the signal: then it `wasEnded`. Nothing of it is left when this resolves. */
export function runBounded(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv; readonly until: AbortSignal },
): Promise<{ readonly status: number; readonly wasEnded: boolean }>;
