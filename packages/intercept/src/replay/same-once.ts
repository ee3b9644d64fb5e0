// An engine with a cache: several policies call it with the same result.
import type { Engine } from "@jeeves/cut";

type Answer = ReturnType<Engine["prune"]>;

/** Remembers answers until `forget`. */
export function createSameOnce(engine: Engine): Engine & { forget(): void } {
  const answers = new Map<string, Answer>();
  return {
    prune(table, request) {
      const { signal: _signal, ...options } = request;
      const key = JSON.stringify([table.text, options]);
      const found = answers.get(key) ?? engine.prune(table, request);
      answers.set(key, found);
      return found;
    },
    forget: () => answers.clear(),
  };
}
