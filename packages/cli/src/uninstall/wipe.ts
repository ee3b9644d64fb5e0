// `jeeves wipe`: empties the recovery store, in every place where this user has one.
// Exit codes: 0 done, 1 something could not be removed, 2 nothing was done because it was not confirmed.
import { measureStore, type StoreSize, storePlaces, wipeStore } from "@jeeves/state";
import { ask, canAsk } from "../terminal/ask.ts";
import { ownCommand } from "../terminal/own-command.ts";

interface WipeOptions {
  readonly yes?: boolean;
}

/** Prints what is stored, asks unless `yes`, and removes it. Sets the exit code. */
export async function wipeCommand({ yes }: WipeOptions): Promise<void> {
  const { env } = process;
  const out = (line: string) => void process.stdout.write(`${line}\n`);
  const warn = (line: string) => void process.stderr.write(`jeeves: ${line}\n`);
  const sizes: StoreSize[] = [];
  for (const place of await storePlaces(env)) sizes.push(await measureStore(place));
  const full = sizes.filter(({ bytes }) => bytes > 0);
  if (full.length === 0) return out(`nothing to do: no texts are stored in ${sizes.map(({ dir }) => dir).join(", ")}`);
  for (const size of full) out(`${wordsFor(size)} in  ${size.dir}`);
  if (yes !== true && !canAsk()) {
    warn(`nothing was removed: there is no terminal to ask on; ${ownCommand("wipe --yes")} removes them`);
    process.exitCode = 2;
    return;
  }
  const question = "Remove them? What was cut from them can then no longer be brought back.";
  if (yes !== true && !(await ask(question))) {
    out("Nothing was removed.");
    process.exitCode = 2;
    return;
  }
  for (const place of await storePlaces(env)) {
    try {
      const gone = await wipeStore(place);
      if (gone.bytes > 0) out(`removed  ${wordsFor(gone)} from  ${gone.dir}`);
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error));
      process.exitCode = 1;
    }
  }
}

function wordsFor({ texts, bytes }: StoreSize): string {
  const unit = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${texts.toLocaleString("en")} text${texts === 1 ? "" : "s"}, ${bytes < 1000 ? `${bytes} bytes` : unit}`;
}
