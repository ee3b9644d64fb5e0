// The tests run the built bins; whoever starts vitest directly gets fresh ones too.
import { ensureBuilt } from "../scripts/setup.mjs";

export default function setup(): void {
  ensureBuilt();
}
