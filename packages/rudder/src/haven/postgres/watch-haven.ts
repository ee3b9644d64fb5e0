// Hears of every change of a haven in the database, whichever machine makes it.
import { watchDatabase } from "@jeeves/state";
import { havenDatabase } from "../place/shared-haven.ts";
import { CHANNEL } from "./haven-schema.ts";

/** Calls `onChange` when it is time to look again; the function ends it. Undefined where the haven is in files. */
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
