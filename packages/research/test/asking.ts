// One question to a researcher of its own over files that were made for it: no server, nothing kept.
import { loadSettings } from "../src/load-settings.ts";
import type { Asked } from "../src/research.ts";
import { createResearcher, type Researcher } from "../src/researcher.ts";
import { makeTempDir } from "./made-project.ts";

/** What `ask` gives for the question, in a directory that `fill` has filled. */
export async function askAbout<T>(
  question: string,
  fill: (dir: string) => Promise<void>,
  ask: (researcher: Researcher, asked: Asked) => Promise<T>,
): Promise<T> {
  const [project, state] = await Promise.all([makeTempDir(), makeTempDir()]);
  try {
    await fill(project.path);
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots: [project.path] });
    const researcher = createResearcher({ settings, env: { JEEVES_STATE_DIR: state.path } });
    try {
      const { roots } = researcher.choose(undefined);
      return await ask(researcher, { question, roots, constraints: {}, signal: new AbortController().signal });
    } finally {
      await researcher.close();
    }
  } finally {
    await Promise.all([project.remove(), state.remove()]);
  }
}
