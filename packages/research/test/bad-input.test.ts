// What nobody means to send, and what happens to a machine: a bounded answer that says so, or a refusal, never a crash.
import { mkdir, rename, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadSettings } from "../src/load-settings.ts";
import { researchReport } from "../src/report/schema.ts";
import { createResearcher } from "../src/researcher.ts";
import { type MadeDir, makeProject, makeTempDir, writeFiles } from "./made-project.ts";
import { type Server, startServer, type Wire } from "./server-under-test.ts";

let project: MadeDir;
let state: MadeDir;
let server: Server;

beforeAll(async () => {
  [project, state] = await Promise.all([makeProject(), makeTempDir()]);
  await symlink(project.path, join(project.path, "src/loop"));
  await symlink("/etc/passwd", join(project.path, "src/passwd.py"));
  const huge = join(project.path, "src/huge_invoice.py");
  await writeFile(huge, "def send_invoice_huge(): backoff\n");
  await truncate(huge, 2 ** 30); // sparse: a gigabyte that takes no room
  server = await startServer({ args: ["--root", project.path], stateDir: state.path });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([project.remove(), state.remove()]);
});

const ask = (args: object): Promise<Wire> => server.ask("research_codebase", args);

describe("bad input", () => {
  it("a gigabyte, a loop of links and a link to the outside are passed by", async () => {
    const answer = await ask({ question: "How does send_invoice send it again with backoff? root passwd" });
    researchReport.parse(answer);
    expect(answer.locator.value.references[0]).toMatch(/^src\/ledger\/invoices\.py/);
    expect(JSON.stringify(answer)).not.toMatch(/loop\/|passwd\.py|huge_invoice/);
  });

  it.each([
    ["1 ms", { deadlineMs: 1 }],
    ["1 byte", { maxBytesRead: 1 }],
    ["1 file", { maxFilesRead: 1 }],
    ["1 token", { maxTokens: 1 }],
    ["all at once", { deadlineMs: 1, maxBytesRead: 1, maxFilesRead: 1, maxTokens: 1, maxConcurrentTasks: 1 }],
  ])("C-18 C-35 %s gives a bounded answer that says so", async (_, constraints) => {
    const answer = await ask({ question: "How are invoices sent and accounts opened?", constraints });
    researchReport.parse(answer);
    expect(answer.constraints).toMatchObject(constraints);
    const said = JSON.stringify([
      answer.locator.value?.notes,
      answer.locator.error,
      answer.synthesis.notes,
      answer.locator.status,
    ]);
    expect(said).toMatch(/limits|timeout|cut to the token budget/);
  });

  it.each([
    ["another language", "請求書はどこで送信されますか"],
    ["no words", "?!…"],
    ["only noise", "the of and is"],
    ["regex", "(.*)+$ [a-z"],
    ["a flag", "--files -e .*"],
  ])("C-33 a question of %s is answered", async (_, question) => {
    const answer = await ask({ question });
    researchReport.parse(answer);
    expect(["ok"]).toContain(answer.locator.status);
  });

  it.each([
    ["research_codebase", { question: "q", maxTokens: 100 }, "arguments.maxTokens"],
    ["locate_in_codebase", { question: "q", root: "." }, "arguments.root"],
    ["create_handoff", { question: "q", artifact: true }, "arguments.artifact"],
    ["resume_handoff", { path: "a.md", file: "a.md" }, "arguments.file"],
    ["list_roots", { all: true }, "arguments.all"],
  ])("C-10 %s refuses an unknown argument by its name: %j", async (name, args, path) => {
    const { error } = await server.request("tools/call", { name, arguments: args });
    expect(error.code).toBe(-32602);
    expect(error.data.issues.map((issue: Wire) => issue.path)).toEqual([path]);
  });

  it("a question of 50 KB is answered within the budget of tokens", async () => {
    const question = `How is an invoice sent? ${"invoice backoff attempts owner record ".repeat(1_400)}`;
    const answer = await ask({ question });
    expect(answer.question.length).toBeLessThanOrEqual(1_000);
    expect(answer.locator.value.references[0]).toMatch(/^src\/ledger\//);
  });

  it("C-19 a cancelled call gets no answer, and the server goes on", async () => {
    const params = { name: "research_codebase", arguments: { question: "How are invoices sent?" } };
    server.send({ jsonrpc: "2.0", id: "gone", method: "tools/call", params });
    server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "gone" } });
    expect((await ask({ question: "How are invoices sent?" })).locator.status).toBe("ok");
    await server.waitFor("the cancellation", () =>
      server.events.find((event) => event.event === "tool.request_cancelled"),
    );
  });

  it("C-19 C-29 a cancelled question has the status canceled and a whole report", async () => {
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots: [project.path] });
    const researcher = createResearcher({ settings, env: { JEEVES_STATE_DIR: state.path } });
    const cancel = new AbortController();
    const asking = researcher.research({
      question: "How are invoices sent?",
      roots: researcher.choose(undefined).roots,
      constraints: {},
      signal: cancel.signal,
    });
    cancel.abort();
    const report = researchReport.parse(await asking);
    expect(report.locator.status).toBe("canceled");
    expect(report.synthesis.references).toEqual([]);
    await researcher.close();
  });

  it("a file that changed between two questions is quoted as it is now", async () => {
    await writeFiles(project.path, { "src/change.py": "def zebra_stripes():\n    return 1\n" });
    expect((await ask({ question: "Where is zebra_stripes?" })).locator.value.references[0]).toBe("src/change.py:1");
    await writeFiles(project.path, { "src/change.py": "\n\n\ndef zebra_stripes():\n    return 1\n" });
    expect((await ask({ question: "Where is zebra_stripes?" })).locator.value.references[0]).toBe("src/change.py:4");
  });

  it("C-26 thoughts are read only where they are configured", async () => {
    const thoughts = await makeTempDir();
    await writeFiles(thoughts.path, {
      "why.md": "# Invoice backoff\n\nWe chose exponential backoff for invoices in May.\n",
    });
    const file = join(state.path, "config.json");
    await writeFile(file, JSON.stringify({ roots: [project.path], thoughts: thoughts.path }));
    const withThoughts = await startServer({ args: ["--config", file], stateDir: state.path });
    try {
      const question = "Why do invoices use exponential backoff?";
      const answer = await withThoughts.ask("research_codebase", { question, constraints: { maxTokens: 2_000 } });
      expect(answer.synthesis.key_findings.at(-1)).toMatch(/^history: .*\/why\.md:\d: /);
      expect(JSON.stringify(await ask({ question, constraints: { maxTokens: 2_000 } }))).not.toContain("why.md");
    } finally {
      await withThoughts.stop();
      await thoughts.remove();
    }
  });

  it("C-18 C-21 thoughts have the deadline of the question, and a report comes whatever they do", async () => {
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots: [project.path] });
    const researcher = createResearcher({
      settings: { ...settings, thoughts: join(state.path, "no such notes") },
      env: { JEEVES_STATE_DIR: state.path },
    });
    const cancel = new AbortController();
    const asked = { question: "How are invoices sent?", roots: researcher.choose(undefined).roots, constraints: {} };
    const whole = await researcher.research({ ...asked, signal: cancel.signal });
    expect(whole.locator.status).toBe("ok");
    const asking = researcher.research({
      ...asked,
      signal: cancel.signal,
      onProgress: ({ progress }) => {
        if (progress === 1) cancel.abort();
      },
    });
    expect(researchReport.parse(await asking).analyzer?.status).toBe("canceled");
    await researcher.close();
  });

  it("C-34 C-42 a root that could not be opened is not among those searched, and it is said", async () => {
    const settings = loadSettings({ env: { HOME: "/nowhere" }, cwd: project.path, roots: [project.path] });
    const researcher = createResearcher({ settings, env: { JEEVES_STATE_DIR: state.path } });
    const missing = { path: join(state.path, "no such root"), label: "gone" };
    const report = await researcher.research({
      question: "How are invoices sent?",
      roots: [...researcher.choose(undefined).roots, missing],
      constraints: {},
      signal: new AbortController().signal,
    });
    expect(report.rootsSearched).toEqual([project.path]);
    expect(report.synthesis.notes).toContain("root gone is not there");
    await researcher.close();
  });

  it("no root at all is an error with what to do", async () => {
    const home = await makeTempDir();
    const lost = await startServer({ args: [], stateDir: home.path, cwd: home.path });
    try {
      const result = await lost.call("research_codebase", { question: "anything" });
      expect(result.isError).toBe(true);
      expect(JSON.parse(result.content[0].text).error).toMatchObject({
        name: "root_unavailable",
        hint: expect.stringContaining("--root"),
      });
      expect(await lost.ask("list_roots", {})).toEqual({ roots: [] });
    } finally {
      await lost.stop();
      await home.remove();
    }
  });

  it("a root that vanished is not listed, and comes back when it does", async () => {
    const made = await makeProject();
    const moved = `${made.path}-moved`;
    const one = await startServer({ args: ["--root", made.path], stateDir: state.path });
    try {
      await rename(made.path, moved);
      expect(await one.ask("list_roots", {})).toEqual({ roots: [] });
      expect((await one.call("locate_in_codebase", { question: "invoice" })).isError).toBe(true);
      await rename(moved, made.path);
      expect((await one.ask("locate_in_codebase", { question: "invoice" })).locator.status).toBe("ok");
    } finally {
      await one.stop();
      await made.remove();
    }
  });

  it("C-33 C-35 a name in a file too large to read is found by search; what is not found may be in there", async () => {
    const made = await makeTempDir();
    const filler = "static int filler(int x) { return x; }\n".repeat(30_000);
    await writeFiles(made.path, {
      "amalgam.c": `${filler}int openDatabase(const char *name) {\n  return 1;\n}\n`,
      "README.md": "# Amalgam\n\nOne file.\n",
    });
    const one = await startServer({ args: ["--root", made.path], stateDir: state.path });
    try {
      const answer = researchReport.parse(
        await one.ask("research_codebase", { question: "How does openDatabase work?" }),
      );
      expect(answer.locator).toMatchObject({ value: { references: ["amalgam.c:30001"] } });
      expect(answer.synthesis.summary).toBe("openDatabase is at amalgam.c:30001, in a file too large to read.");
      for (const question of ["How does closeDatabase work?", "Where are sockets polled?"]) {
        const none = await one.ask("research_codebase", { question });
        expect(none.synthesis.summary).toMatch(/^Not found/);
        expect(none.synthesis.summary).not.toContain("nowhere");
        expect(none.synthesis.notes).toContain("files too large to look into: 1");
      }
    } finally {
      await one.stop();
      await made.remove();
    }
  });

  it("C-46 a name put terminal escapes into an answer: what is not safe to print is not referred to", async () => {
    const made = await makeTempDir();
    const text = "def narwhal_horn():\n    return 1\n";
    const unsafe = ["esc\u001b[31mred.py", "bell\u0007.py", "back\bspace.py", "turned\u202eyp.py"];
    await writeFiles(made.path, Object.fromEntries([...unsafe, "src/plain.py"].map((name) => [name, text])));
    const one = await startServer({ args: ["--root", made.path], stateDir: state.path });
    try {
      const answer = await one.ask("research_codebase", { question: "Where is narwhal_horn?" });
      expect(answer.locator.value.references).toEqual(["src/plain.py:1"]);
      expect(JSON.stringify(answer)).not.toMatch(/esc|bell|space\.py|turned/);
    } finally {
      await one.stop();
      await made.remove();
    }
  });

  it("C-46 a name with spaces, colons and other scripts is found", async () => {
    await mkdir(join(project.path, "src/été"), { recursive: true });
    await writeFiles(project.path, { "src/été/mañana plan.py": "def walrus_tusk():\n    return 1\n" });
    expect((await ask({ question: "Where is walrus_tusk?" })).locator.value.references[0]).toBe(
      "src/été/mañana plan.py:1",
    );
  });
});
