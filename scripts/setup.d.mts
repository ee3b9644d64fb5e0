export const root: string;
export function say(text: string): void;
export function run(command: string, args: readonly string[], options?: { readonly cwd?: string }): void;
export function ensureInstalled(dir?: string): void;
export function ensureBuilt(): void;
