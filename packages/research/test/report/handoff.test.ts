// Memos: written only when asked, inside their directory, redacted; read again later, each reference checked.
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSettings } from "../../src/load-settings.ts";
import { handoffReport, researchReport, resumeReport } from "../../src/report/schema.ts";
import { createResearcher } from "../../src/researcher.ts";
import { type MadeDir, makeProject, makeTempDir, TOKEN } from "../made-project.ts";
import { type Server, startServer, type Wire } from "../server-under-test.ts";

let project: MadeDir;
let state: MadeDir;
let server: Server;

beforeEach(async () => {
  [project, state] = await Promise.all([makeProject(), makeTempDir()]);
  server = await startServer({ args: ["--root", project.path], stateDir: state.path });
});
afterEach(async () => {
  await server.stop();
  await Promise.all([project.remove(), state.remove()]);
});

const artifacts = (): string => join(state.path, "artifacts");

describe("artefacts", () => {
  it("C-36 C-37 X-32 artifact: true writes a memo under the state directory, sections in order", async () => {
    const question = "How is an invoice sent again?";
    const answer = await server.ask("research_codebase", { question, artifact: true });
    researchReport.parse(answer);
    expect(answer.artifact.path.startsWith(`${artifacts()}/`)).toBe(true);
    const memo = await readFile(answer.artifact.path, "utf8");
    expect(memo.match(/^#+ .+$/gm)).toEqual([
      "# Research Handoff",
      "## Question",
      "## Summary",
      "## Key Findings",
      "## References",
      "## Constraints / Budgets",
      ...(answer.synthesis.notes === null ? [] : ["## Notes"]),
    ]);
    expect(memo).toContain(`## Question\n\n${question}\n`);
    expect(memo).toContain(`- roots: ${project.path}`);
    expect(memo).toMatch(/^- src\/ledger\/invoices\.py:\d+$/m);
  });

  it("C-38 X-34 C-40 the memo is redacted, the question too", async () => {
    const question = `Which token does deliver_mail use, is it ${TOKEN}?`;
    const answer = await server.ask("research_codebase", { question, artifact: { path: "mail/token.md" } });
    const memo = await readFile(join(artifacts(), "mail/token.md"), "utf8");
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    expect(memo).not.toContain(TOKEN);
    expect(memo).toMatch(/src\/ledger\/mailer\.py:\d+/);
  });

  it.each(["../out.md", "/tmp/out.md", "notes.txt", "."])("C-36 the path %s is refused", async (path) => {
    const result = await server.call("research_codebase", { question: "How is an invoice sent?", artifact: { path } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(result.content[0].text).error.name).toBe("artifact_failed");
  });

  it("C-36 a link inside the directory does not lead out of it", async () => {
    await mkdir(artifacts(), { recursive: true });
    await symlink(project.path, join(artifacts(), "link"));
    const result = await server.call("create_handoff", { question: "How is an invoice sent?", path: "link/memo.md" });
    expect(JSON.parse(result.content[0].text).error.name).toBe("artifact_failed");
  });

  it("an artefact directory that cannot be written is said, with what to do", async () => {
    await writeFile(artifacts(), "a file is in the way");
    const result = await server.call("create_handoff", { question: "How is an invoice sent?" });
    const { error } = JSON.parse(result.content[0].text);
    expect(error).toMatchObject({ name: "artifact_failed", hint: expect.stringContaining("artifacts.dir") });
    await chmod(artifacts(), 0o600);
  });
});

describe("handoffs", () => {
  const create = async (): Promise<Wire> =>
    server.ask("create_handoff", {
      question: "How does open_account load_record the record of an owner?",
      path: "h.md",
    });
  const statusOf = (answer: Wire, path: string): Wire[] =>
    answer.references.filter((one: Wire) => one.reference.startsWith(`${path}:`));

  it("C-09 what has not changed is ok", async () => {
    handoffReport.parse(await create());
    const answer = await server.ask("resume_handoff", { path: "h.md" });
    resumeReport.parse(answer);
    expect(answer.references.length).toBeGreaterThanOrEqual(2);
    expect(new Set(answer.references.map((one: Wire) => one.status))).toEqual(new Set(["ok"]));
    expect(answer.notes).toBeNull();
  });

  it("C-09 X-35 X-70 what moved is found, what says something else has changed, what is gone is marked", async () => {
    await create();
    const store = join(project.path, "src/ledger/store.py");
    const accounts = join(project.path, "src/ledger/accounts.py");
    await writeFile(store, `# moved\n# down\n# by three\n${await readFile(store, "utf8")}`);
    await writeFile(
      accounts,
      (await readFile(accounts, "utf8")).replace(/^ {4}def open_account.*$/m, "    def opened():"),
    );
    const answer = await server.ask("resume_handoff", { path: "h.md" });
    resumeReport.parse(answer);
    const moved = statusOf(answer, "src/ledger/store.py").filter((one) => one.status === "moved");
    expect(moved.length).toBeGreaterThan(0);
    for (const { reference, now } of moved) {
      expect(Number(now.split(":")[1])).toBe(Number(reference.split(":")[1]) + 3);
    }
    expect(statusOf(answer, "src/ledger/accounts.py").some((one) => one.status === "changed")).toBe(true);
    await writeFile(accounts, "nothing = 1\n");
    const later = await server.ask("resume_handoff", { path: "h.md" });
    expect(statusOf(later, "src/ledger/accounts.py").every((one) => one.status === "gone")).toBe(true);
    expect(later.notes).toMatch(/moved, changed or gone/);
  });

  it("X-70 a memo without fingerprints is never ok by default", async () => {
    const { artifact } = await create();
    const memo = await readFile(artifact.path, "utf8");
    for (const text of [memo.replace(/\n<!-- fingerprints[\s\S]*$/, "\n"), memo.replace(/"line":"/g, '"line":"no ')]) {
      await writeFile(artifact.path, text);
      const answer = await server.ask("resume_handoff", { path: "h.md" });
      expect(answer.references).toEqual([]);
      expect(answer.notes).toMatch(/^\d+ references not checked$/);
    }
  });

  it("C-09 a place is known whatever its path and its heading: with spaces, with a colon", async () => {
    const path = join(project.path, "docs/how to/zebra.md");
    await mkdir(join(project.path, "docs/how to"), { recursive: true });
    await writeFile(path, "# Africa: animals\n\nA zebra has stripes all over.\n");
    await server.ask("create_handoff", { question: "Where is it said what stripes a zebra has?", path: "z.md" });
    const first = await server.ask("resume_handoff", { path: "z.md" });
    expect(first.references).toContainEqual({ reference: "docs/how to/zebra.md:3", status: "ok" });
    await writeFile(path, "# Africa: animals\n\n\nA zebra has stripes all over.\n\n");
    const second = await server.ask("resume_handoff", { path: "z.md" });
    const moved = { reference: "docs/how to/zebra.md:3", status: "moved", now: "docs/how to/zebra.md:4" };
    expect(second.references).toContainEqual(moved);
  });

  it("C-09 C-21 what the limits did not allow to read is not said to be gone", async () => {
    await create();
    const small = await startServer({
      args: ["--root", project.path],
      stateDir: state.path,
      env: { MCP_RESEARCH_MAX_FILES_READ: "2" }, // the memo, and one file
    });
    try {
      const answer = await small.ask("resume_handoff", { path: "h.md" });
      expect(new Set(answer.references.map((one: Wire) => one.status))).toEqual(new Set(["ok"]));
      expect(answer.notes).toMatch(/^\d+ references not checked$/);
    } finally {
      await small.stop();
    }
  });

  it("C-09 C-34 what is in a root that may not be searched here is neither read nor said to be gone", async () => {
    await create();
    const elsewhere = await startServer({ args: ["--root", state.path], stateDir: state.path });
    try {
      const answer = await elsewhere.ask("resume_handoff", { path: "h.md" });
      expect(answer.references).toEqual([]);
      expect(answer.notes).toMatch(/^\d+ references not checked$/);
    } finally {
      await elsewhere.stop();
    }
  });

  it("C-09 C-34 X-35 the references of a memo are found when one of its roots was gone as it was written", async () => {
    const gone = await makeTempDir();
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots: [project.path, gone.path] });
    const researcher = createResearcher({ settings, env: { JEEVES_STATE_DIR: state.path } });
    const { roots } = researcher.choose(undefined);
    await gone.remove();
    const { signal } = new AbortController();
    const question = "Where is send_invoice defined?";
    const { artifact, references } = await researcher.createHandoff({ question, roots, constraints: {}, signal }, {});
    const answer = await researcher.resumeHandoff(artifact.path, signal);
    expect(answer.references.map(({ status }) => status)).toEqual(Array.from({ length: references }, () => "ok"));
    await researcher.close();
  });

  it("C-09 C-40 C-47 a memo that somebody has edited is bounded and redacted", async () => {
    const { artifact } = await create();
    const memo = await readFile(artifact.path, "utf8");
    const more = `## Question\n\n${TOKEN} ${"why ".repeat(5_000)}\n`;
    await writeFile(artifact.path, `${memo.replace("## Question\n", more)}- ../../../../etc/passwd:1\n`);
    const answer = await server.ask("resume_handoff", { path: "h.md" });
    expect(answer.question.length).toBeLessThanOrEqual(1_000);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
  });

  it.each(["missing.md", "../../etc/passwd", "/etc/passwd"])("C-09 %s is no handoff", async (path) => {
    const result = await server.call("resume_handoff", { path });
    expect(JSON.parse(result.content[0].text).error.name).toBe("handoff_unreadable");
  });
});
