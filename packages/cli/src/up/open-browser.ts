// Shows an address to the person at this machine. Best effort: the address is on the screen as well.
import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** False when no program could be started for it. BROWSER names another one. */
export async function openBrowser(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program = "xdg-open", ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[process.platform] ?? []);
  return new Promise((resolve) => {
    const child = spawn(program, [...args, url], { stdio: "ignore", detached: true, env });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
