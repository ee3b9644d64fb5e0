/** The page with an index that names every decision once. Throws where an entry has no date or names no other entry. */
export function withIndex(page: string): string;
