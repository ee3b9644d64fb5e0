// What a token is worth: our own rates, or those of the user, for `jeeves stats` and the page alike.
import { dirname, join } from "node:path";
import { isRecord, systemCodeOf } from "@jeeves/base";
import { DEFAULT_PRICES, type PriceList } from "@jeeves/cut";
import { BOOKKEEPING_WAIT_MS, guarded, readPlainFile, resolveStateDir, StateError, waitMsOf } from "@jeeves/state";
import { CliError } from "./cli-error.ts";
import type { SumOptions } from "./commands/stats-sums.ts";

export const OWN_PRICES: SumOptions = { prices: DEFAULT_PRICES, isSurfaceGiven: false };

const MAX_PRICES_BYTES = 1024 * 1024;

/** The file that was named, or prices.json in the state directory, over our own. */
export async function readPrices(env: NodeJS.ProcessEnv, named?: string): Promise<SumOptions> {
  const file = named ?? join(resolveStateDir(env), "prices.json");
  const bad = (why: string) =>
    new CliError(`${file} ${why}`, `a JSON object with ${Object.keys(DEFAULT_PRICES).join(", ")}`);
  let bytes: Buffer | undefined;
  try {
    const read = () => readPlainFile(file, { maxBytes: MAX_PRICES_BYTES });
    bytes = await guarded(dirname(file), waitMsOf(env, BOOKKEEPING_WAIT_MS), read);
  } catch (error) {
    // The meter is in the same directory, and is reported.
    if (named === undefined && error instanceof StateError) return OWN_PRICES;
    const code = systemCodeOf(error) ?? "not a regular file of at most 1 MB";
    // A state directory that is none is for `jeeves doctor` to say.
    if (named === undefined && code === "ENOTDIR") return OWN_PRICES;
    throw bad(`cannot be read (${code})`);
  }
  if (bytes === undefined && named === undefined) return OWN_PRICES;
  if (bytes === undefined) throw bad("cannot be read (ENOENT)");
  return parsePrices(bytes.toString("utf8"), bad);
}

function parsePrices(text: string, bad: (why: string) => CliError): SumOptions {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw bad("is not valid JSON");
  }
  if (!isRecord(given)) throw bad("is not an object");
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_PRICES, name)) throw bad(`names ${name}, which is no rate`);
    if (typeof value !== "number" || !(value >= 0)) throw bad(`gives ${name} no number of at least 0`);
  }
  const prices: PriceList = { ...DEFAULT_PRICES, ...given };
  return { prices, isSurfaceGiven: Object.hasOwn(given, "surfaceTokens") };
}
