export function findChromium(options?: { readonly canInstall?: boolean }): string;
