// `jeeves token`: the user's token, for clients that cannot be known by their uid. stdout has nothing else, so that
// `$(jeeves token)` works.
import { ensureUserToken, StateError } from "@jeeves/state";
import { CliError } from "../cli-error.ts";

/** Prints the token, which is made where there is none. Throws CliError where the state directory cannot hold it. */
export async function tokenCommand(): Promise<void> {
  try {
    process.stdout.write(`${await ensureUserToken(process.env)}\n`);
  } catch (error) {
    if (error instanceof StateError) throw new CliError(error.message, error.hint);
    throw error;
  }
}
