export function ensurePackaged(): Promise<string>;
