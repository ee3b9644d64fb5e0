// Claude Code's own WebFetch: a page of documentation, which its model gets whole or, if it is long, as a preview.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claudeEnv, runClaudeCode, VERSIONS } from "./claude-code.ts";
import { checkCut, createInterceptProject, type InterceptProject } from "./intercept-project.ts";
import { type PageHost, startPageHost } from "./page-host.ts";
import type { Conversation } from "./scripted-model.ts";

/** Of a host that Claude Code knows, pages in Markdown are shown as they are. */
const HOST = "docs.python.org";
const ANSWER = "The voucher limit is 4,200 cents; it is checked where a basket is closed.";

function makePage(parts: number): string {
  const words = (i: number) =>
    `Words about thing ${i}, which belongs to area ${i % 9} and has ${i * 3} of its own kind beside it here.`;
  return Array.from({ length: parts }, (_, i) =>
    i === parts - 50
      ? `## Limits of vouchers\n\n${ANSWER}\n`
      : `## Part ${i} of the manual\n\n${words(i)} ${words(i + 7)}\n`,
  ).join("\n");
}
const PAGES = { "/3/shown.md": makePage(200), "/3/previewed.md": makePage(300), "/3/small.md": "# One line\n" };

describe.each(VERSIONS)("Claude Code $version", (version) => {
  let project: InterceptProject;
  let host: PageHost;
  let seen: Conversation;

  beforeAll(async () => {
    project = await createInterceptProject();
    host = await startPageHost(HOST, PAGES, join(project.dir, "host"));
    await mkdir(join(project.home, ".claude"), { recursive: true });
    await writeFile(
      join(project.home, ".claude", "settings.json"),
      JSON.stringify({ skipWebFetchPreflight: true, permissions: { allow: ["WebFetch", "Read"] } }),
    );
    const env = { ...(await claudeEnv(project.home)), JEEVES_STATE_DIR: project.stateDir };
    project.jeeves(["init", "claude-code"], env);
    const prompt = "What is the voucher limit?";
    ({ seen } = await runClaudeCode(version, {
      prompt,
      cwd: project.root,
      home: project.home,
      env: { ...host.env, JEEVES_STATE_DIR: project.stateDir },
      script: [
        ...Object.keys(PAGES).map((path) => ({
          call: { tool: "WebFetch" },
          with: { url: `https://${HOST}${path}`, prompt },
        })),
        { say: "Done." },
      ],
    }));
  });
  afterAll(async () => {
    await host?.close();
    await project?.remove();
  });

  const shown = (index: number) => seen.outputs[index]?.parts.join("\n") ?? "";

  it.each(
    Object.entries(PAGES)
      .slice(0, 2)
      .map(([path, page], index) => [path, page, index] as const),
  )("X-51 %s reaches the model as lines of it, the answer among them", (_, page, index) => {
    expect(seen.outputs[index]?.isError).toBe(false);
    const kept = checkCut(shown(index), page, { numbered: false });
    expect(kept).toContain(ANSWER);
    expect(shown(index).length).toBeLessThan(page.length / 2);
  });

  it("a small page is shown as it is, and the meter counts the cuts", () => {
    expect(shown(2)).toBe(PAGES["/3/small.md"]);
    expect(project.meter().filter(({ kind }) => kind === "cut")).toHaveLength(2);
  });
});
