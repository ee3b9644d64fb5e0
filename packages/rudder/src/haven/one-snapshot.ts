// A store for one command: everything is looked at once. A claim asks for all artefacts three times, and 5,000 files
// are felt each time. What the command changes itself, it sees.
import type { HavenStore, Snapshot } from "./store.ts";

export function withOneSnapshot(store: HavenStore): HavenStore {
  let taken: Promise<Snapshot> | undefined;
  const forget = (): void => {
    taken = undefined;
  };
  return {
    ...store,
    snapshot() {
      taken ??= store.snapshot();
      return taken;
    },
    change(run, options) {
      forget();
      return store.change(run, options).finally(forget);
    },
  };
}
