/** `path:line` of each match, sorted. */
export declare function placesOf(found: readonly string[]): string[];
/** Every `path:line` that a shown match list names, in its lines or in its list, sorted. */
export declare function placesIn(shown: string): string[];
