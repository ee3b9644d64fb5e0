/** How packages whose main file does not bundle are found, by the name that is imported. */
export const alias: Readonly<Record<string, string>>;
