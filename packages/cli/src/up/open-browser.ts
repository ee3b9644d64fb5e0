// Shows an address to the person at this machine. Best effort: the address is on the screen as well.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { withAbsolutePath } from "@jeeves/base";
import { writeFileAtomic } from "@jeeves/state";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * False when no program could be started for it. BROWSER names another one. The address carries a token, and every user
 * of a machine can read the arguments of every process: what the browser is given is `file`, which leads there and which
 * only its owner can read.
 */
export async function openBrowser(
  url: string,
  { file, env }: { readonly file: string; readonly env: NodeJS.ProcessEnv },
): Promise<boolean> {
  const [program = "xdg-open", ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[process.platform] ?? []);
  try {
    await writeFileAtomic(file, toRedirect(url));
  } catch {
    return false;
  }
  return new Promise((resolve) => {
    const child = spawn(program, [...args, pathToFileURL(file).href], {
      stdio: "ignore",
      detached: true,
      env: withAbsolutePath(env),
    });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function toRedirect(url: string): string {
  const to = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><title>Jeeves</title>
<meta http-equiv="refresh" content="0; url=${to}"><a href="${to}">Jeeves</a>
`;
}
