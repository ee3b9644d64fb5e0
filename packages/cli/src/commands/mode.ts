// `jeeves on|shadow|off`: whether cuts are shown, only counted, or not made, for every client of this user.
import { MODES, type Mode, writeMode } from "@jeeves/intercept";

const WORDS: Readonly<Record<Mode, string>> = {
  on: "on: what is left out of an answer is marked, and can be recovered",
  shadow: "shadow: everything goes through whole; jeeves stats shows what would have been saved",
  off: "off: everything goes through whole",
};

export async function modeCommand(mode: Mode): Promise<void> {
  await writeMode(process.env, mode);
  process.stdout.write(`${WORDS[mode]}\n`);
  const named = process.env.JEEVES_MODE;
  if (!named) return;
  const isMode = MODES.some((each) => each === named.trim().toLowerCase());
  process.stderr.write(`jeeves: JEEVES_MODE=${named} is set and ${isMode ? "decides" : "is no mode: it is ignored"}\n`);
}
