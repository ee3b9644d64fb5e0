// Notices of every change of a haven in the database, whichever machine makes it.
import { watchDatabase } from "@jeeves/state";
import { havenDatabase } from "../place/shared-haven.ts";
import { CHANNEL } from "./haven-schema.ts";

/**
 * Calls `onChange` after a change of this haven, and where changes may have been missed. Returns the function that ends
 * it; undefined where havens are in files.
 */
export function watchHaven(
  id: string,
  options: { readonly env: NodeJS.ProcessEnv; readonly onChange: () => void },
): (() => Promise<void>) | undefined {
  const database = havenDatabase(options.env);
  if (database === undefined) return undefined;
  return watchDatabase({
    database,
    channel: CHANNEL,
    onNotice: (payload) => {
      if (payload === undefined || payload.startsWith(`${id} `)) options.onChange();
    },
  });
}
