export function refusals(given: {
  readonly version: string;
  readonly changelog: string;
  readonly tags: readonly string[];
  readonly dirty: readonly string[];
}): string[];
