export interface SystemProgram {
  readonly package: string;
  readonly names: readonly string[];
}
export const CHROMIUM: SystemProgram;
export const SOCAT: SystemProgram;
export function findSystemProgram(program: SystemProgram, options?: { readonly canInstall?: boolean }): string;
