// `jeeves on|shadow|off`: whether cuts are shown, only counted, or not made, for every client of this user.
import { MODES, type Mode, readTrial, writeMode } from "@jeeves/cut";
import { findProject } from "@jeeves/workspace/project";
import { type FoundClient, findClients } from "../find-clients.ts";
import { ownCommand } from "../terminal/own-command.ts";

const WORDS: Readonly<Record<Mode, string>> = {
  on: "on: what is left out of an answer is marked, and can be recovered",
  shadow: `shadow: everything goes through whole; ${ownCommand("stats")} shows what would have been saved`,
  off: "off: everything goes through whole",
};

/** Sets the mode of this user, and warns where a client's settings, a trial or JEEVES_MODE win over it. */
export async function modeCommand(mode: Mode): Promise<void> {
  await writeMode(process.env, mode);
  process.stdout.write(`${WORDS[mode]}\n`);
  if (mode !== "shadow")
    for (const { title, name } of await clientsInShadow())
      tell(`${title}'s own settings say shadow, which decides there: ${ownCommand(`init ${name}`)} takes it out`);
  if (mode !== "off" && (await isOnTrial()))
    tell(`a trial runs in this project and decides here: ${ownCommand("trial stop")} ends it`);
  const named = process.env.JEEVES_MODE;
  if (!named) return;
  const isMode = MODES.some((each) => each === named.trim().toLowerCase());
  tell(`JEEVES_MODE=${named} is set and ${isMode ? "decides" : "is no mode: it is ignored"}`);
}

async function clientsInShadow(): Promise<readonly FoundClient[]> {
  try {
    return (await findClients({ env: process.env, cwd: process.cwd() })).filter(({ isShadow }) => isShadow);
  } catch {
    return []; // the mode is set, also where the current directory is gone
  }
}

async function isOnTrial(): Promise<boolean> {
  try {
    const trial = await readTrial(process.env, await findProject(process.cwd()));
    return trial !== undefined && trial.stopped === undefined;
  } catch {
    return false;
  }
}

function tell(words: string): void {
  process.stderr.write(`jeeves: ${words}\n`);
}
