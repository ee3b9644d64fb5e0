// The server through its front door: tools, schemas, roots, the five acceptance scenarios.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { componentReport, locateReport, patternsReport, researchReport, rootsReport } from "../src/report/schema.ts";
import { type MadeDir, makeProject, makeTempDir, TOKEN, writeFiles } from "./made-project.ts";
import { connectClient, type Server, startServer, type Wire } from "./server-under-test.ts";

let project: MadeDir;
let other: MadeDir;
let state: MadeDir;
let server: Server;

beforeAll(async () => {
  [project, other, state] = await Promise.all([makeProject(), makeTempDir(), makeTempDir()]);
  await writeFiles(other.path, { "src/telescope.py": "def point_telescope(star):\n    return star\n" });
  server = await startServer({ args: ["--root", project.path, "--root", other.path], stateDir: state.path });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([project.remove(), other.remove(), state.remove()]);
});

const inProject = (): { roots: string[] } => ({ roots: [project.path] });

async function treeOf(dir: string): Promise<string> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(names.map(async (entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
  return JSON.stringify(names.map((entry, i) => [join(entry.parentPath, entry.name), texts[i]]).sort());
}

describe("the surface", () => {
  it("C-01 C-09 the tools are named for chat, and there is no web research", async () => {
    const { tools } = (await server.request("tools/list")).result;
    expect(tools.map((tool: Wire) => tool.name)).toEqual([
      "ping",
      "list_roots",
      "research_codebase",
      "locate_in_codebase",
      "find_patterns",
      "analyze_component",
      "create_handoff",
      "resume_handoff",
    ]);
    for (const tool of tools) expect(tool.description.length).toBeGreaterThan(20);
  });

  it("C-04 every input is an object schema with its required fields named", async () => {
    const { tools } = (await server.request("tools/list")).result;
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.type, name).toBe("object");
      const needed = ["ping", "list_roots"].includes(name)
        ? undefined
        : name === "resume_handoff"
          ? ["path"]
          : ["question"];
      expect(inputSchema.required, name).toEqual(needed);
    }
  });

  it("X-53 tools and instructions are at most 1,000 tokens (o200k)", async () => {
    const { tools } = (await server.request("tools/list")).result;
    const { instructions } = (await server.request("initialize", { protocolVersion: "2025-06-18" })).result;
    const tokens = encode(JSON.stringify(tools)).length + encode(instructions).length;
    console.log(`surface of mcp-research: ${tokens} tokens (o200k), limit 1,000`);
    expect(tokens).toBeLessThanOrEqual(1_000);
  });

  it("the tool list is what it was", async () => {
    expect((await server.request("tools/list")).result).toMatchSnapshot();
  });

  it("C-05 ping answers pong", async () => {
    expect((await server.call("ping", {})).content).toEqual([{ type: "text", text: "pong" }]);
  });

  it("C-06 X-32 list_roots names the allowed roots and nothing else", async () => {
    const answer = await server.ask("list_roots", {});
    expect(answer).toEqual({ roots: [project.path, other.path] });
    expect(rootsReport.safeParse(answer).success).toBe(true);
  });

  it.each([
    ["research_codebase", {}, "arguments.question"],
    ["research_codebase", { question: "   " }, "arguments.question"],
    ["research_codebase", { question: 7 }, "arguments.question"],
    ["locate_in_codebase", {}, "arguments.question"],
    ["resume_handoff", {}, "arguments.path"],
    ["research_codebase", { question: "q", roots: [] }, "arguments.roots"],
    ["research_codebase", { question: "q", constraints: { maxFilesRead: 0 } }, "arguments.constraints.maxFilesRead"],
    ["research_codebase", { question: "q", constraints: { patience: 1 } }, "arguments.constraints.patience"],
  ])("C-10 X-32 %s %j is -32602 and names %s", async (name, args, path) => {
    const { error } = await server.call(name, args);
    expect(error.code).toBe(-32602);
    expect(error.data.issues.map((issue: Wire) => issue.path)).toEqual([path]);
  });

  it("X-32 a root that is not allowed is -32602 with the roots that are", async () => {
    const { error } = await server.call("research_codebase", { question: "q", roots: [state.path] });
    expect(error.code).toBe(-32602);
    expect(error.data.issues[0].path).toBe("arguments.roots.0");
    expect(error.data.allowed_roots).toEqual([project.path, other.path]);
  });

  it("C-01 a real MCP client asks over stdio", async () => {
    const client = await connectClient(["--root", project.path], state.path);
    try {
      const result = await client.callTool({
        name: "research_codebase",
        arguments: { question: "How is an invoice sent again when the client fails?" },
      });
      const [item] = result.content as { type: string; text: string }[];
      const report = researchReport.parse(JSON.parse(item?.text ?? ""));
      expect(report.evidence[0]?.reference).toMatch(/^src\/ledger\/invoices\.py:\d+$/);
    } finally {
      await client.close();
    }
  });
});

describe("acceptance", () => {
  it("C-49 C-07 C-14 locate-only: where is X implemented", async () => {
    const answer = await server.ask("research_codebase", {
      question: "Where is send_invoice implemented?",
      ...inProject(),
    });
    const report = researchReport.parse(answer);
    expect(report.locator.status).toBe("ok");
    expect(answer.locator.value.references[0]).toMatch(/^src\/ledger\/invoices\.py:\d+$/);
    expect(answer.locator.value.references).toContainEqual(expect.stringMatching(/^tests\/test_invoices\.py:\d+$/));
    expect(answer.locator.value.key_findings).toEqual([]);
    expect(Object.keys(answer).sort()).toEqual(
      ["constraints", "evidence", "locator", "progress", "question", "rootsSearched", "synthesis"].sort(),
    );
  });

  it("C-49 C-33 not found: a symbol that does not exist, whatever other words match", async () => {
    for (const question of [
      "Where is `frobnicateInvoice` implemented?",
      "How does reverse_the_polarity send an invoice with backoff?",
      "What does QuantumLedger do with accounts?",
    ]) {
      const answer = await server.ask("research_codebase", { question, ...inProject() });
      expect(answer.locator.value.references, question).toEqual([]);
      expect(answer.locator.value.summary).toMatch(/not found/i);
      expect(answer.locator.value.confidence).toBe("low");
      expect(answer.synthesis.summary).toMatch(/not found/i);
      expect(answer.synthesis.references).toEqual([]);
    }
  });

  it("C-49 C-34 scope restriction: nothing outside the roots leaks", async () => {
    const question = "Where is send_invoice implemented?";
    const answer = await server.ask("research_codebase", { question, roots: [other.path] });
    expect(answer.rootsSearched).toEqual([other.path]);
    expect(answer.locator.value.references).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain("invoices.py");
    const inside = await server.ask("research_codebase", { question, roots: [join(project.path, "src")] });
    expect(inside.rootsSearched).toEqual([join(project.path, "src")]);
    expect(inside.locator.value.references[0]).toMatch(/^ledger\/invoices\.py:\d+$/);
  });

  it("C-49 C-35 C-42 budget pressure: bounded, and it says so", async () => {
    const constraints = { maxFilesRead: 1, max_bytes_read: 400 };
    const answer = await server.ask("research_codebase", {
      question: "How are accounts and invoices stored?",
      constraints,
      ...inProject(),
    });
    researchReport.parse(answer);
    expect(answer.constraints).toMatchObject({ maxFilesRead: 1, maxBytesRead: 400 });
    expect(answer.locator.value.notes).toMatch(/limits .*may have truncated/);
    expect(
      answer.locator.value.references.filter((reference: string) => /:\d+$/.test(reference)).length,
    ).toBeLessThanOrEqual(4);
  });

  it("C-49 C-40 redaction: the token goes, the reference stays", async () => {
    const answer = await server.ask("research_codebase", {
      question: "Which api token does deliver_mail use?",
      ...inProject(),
    });
    const text = JSON.stringify(answer);
    expect(text).not.toContain(TOKEN);
    expect(answer.locator.value.references[0]).toMatch(/^src\/ledger\/mailer\.py:\d+$/);
  });

  it.each(["research_codebase", "locate_in_codebase", "analyze_component", "find_patterns"])(
    "C-40 X-34 %s says nothing of a secret in the question, whole or in part",
    async (tool) => {
      const told = JSON.stringify(await server.ask(tool, { question: `Does deliver_mail use ${TOKEN}?` }));
      expect(told).not.toMatch(new RegExp(TOKEN, "i"));
      // The question is shown up to 1,000 characters: the token lies across that end.
      const across = `Where is deliver_mail? ${"mail ".repeat(193)}x ${TOKEN}`;
      const cut = await server.ask(tool, { question: across, constraints: { maxTokens: 5_000 } });
      expect(JSON.stringify(cut)).not.toContain(TOKEN.slice(0, 8));
    },
  );

  it.each(["locate_in_codebase", "analyze_component", "find_patterns"])(
    "C-31 %s keeps to its tokens, counted exactly, and says what went",
    async (tool) => {
      const question = "Where are invoices, accounts, records, mails and tokens opened, stored, sent and tested?";
      const ask = (maxTokens: number): Promise<Wire> =>
        server.ask(tool, { question, ...inProject(), constraints: { maxTokens } });
      const tokens = (answer: Wire): number => encode(JSON.stringify(answer)).length;
      const most = tokens(await ask(5_000)) - 30;
      const answer = await ask(most);
      expect(tokens(answer)).toBeLessThanOrEqual(most);
      const role = answer.locator ?? answer.analyzer ?? answer.patterns;
      expect(role.value.notes).toMatch(/cut to the token budget: \d+ items? left out$/);
    },
  );

  it("C-39 files on the deny list and ignored files are never named", async () => {
    const answer = await server.ask("locate_in_codebase", {
      question: "LEDGER_PASSWORD hunter2hunter2 send invoice backoff",
      ...inProject(),
    });
    expect(JSON.stringify(answer)).not.toMatch(/\.env|ignored\//);
  });
});

describe("answers", () => {
  it("C-48 C-30 the same question gives the same answer", async () => {
    const args = { question: "How is the stored record of an owner read?", ...inProject() };
    const strip = (answer: Wire): Wire =>
      JSON.parse(JSON.stringify(answer, (key, value) => (key === "timing" || key === "elapsedMs" ? 0 : value)));
    const [first, second] = [await server.ask("research_codebase", args), await server.ask("research_codebase", args)];
    expect(strip(second)).toEqual(strip(first));
    expect(new Set(first.synthesis.references).size).toBe(first.synthesis.references.length);
  });

  it("C-24 C-47 the analyzer quotes short lines that are really there, and follows a call to its definition", async () => {
    const answer = await server.ask("analyze_component", {
      question: "How does AccountBook.open_account read the record of an owner?",
      ...inProject(),
    });
    componentReport.parse(answer);
    const { key_findings: findings, references } = answer.analyzer.value;
    expect(findings.some((finding: string) => finding.startsWith("calls src/ledger/store.py:6 load_record"))).toBe(
      true,
    );
    for (const finding of findings) {
      const [, path = "", line = "", quote = ""] = /^(?:calls )?(\S+?):(\d+)(?: [^:]*)?: (.+)$/.exec(finding) ?? [];
      const lines = (await readFile(join(project.path, path), "utf8")).split("\n");
      expect(lines[Number(line) - 1], finding).toContain(quote.replace(/…$/, ""));
      expect(references).toContain(`${path}:${line}`);
    }
  });

  it("C-08 C-23 locate answers with paths by category", async () => {
    const answer = await server.ask("locate_in_codebase", {
      question: "sending invoices with attempts and backoff",
      ...inProject(),
    });
    locateReport.parse(answer);
    expect(answer.categories.implementation[0]).toMatch(/^src\/ledger\/invoices\.py/);
    expect(answer.categories.tests[0]).toMatch(/^tests\/test_invoices\.py/);
    expect(answer.categories.config).toEqual([expect.stringMatching(/^pyproject\.toml/)]);
    expect(answer.categories.docs).toEqual([expect.stringMatching(/^README\.md/)]);
  });

  it("C-25 C-08 patterns are two to six examples that differ", async () => {
    const answer = await server.ask("find_patterns", {
      question: "functions that read or write the record of an owner",
      ...inProject(),
    });
    patternsReport.parse(answer);
    const { references, key_findings: examples } = answer.patterns.value;
    expect(references.length).toBeGreaterThanOrEqual(2);
    expect(references.length).toBeLessThanOrEqual(6);
    expect(new Set(examples).size).toBe(examples.length);
  });

  it("C-25 C-28 research runs the pattern finder only when examples are asked for", async () => {
    const plain = await server.ask("research_codebase", { question: "How are invoices sent?", ...inProject() });
    const examples = await server.ask("research_codebase", {
      question: "Show examples of functions that store a record",
      ...inProject(),
    });
    expect(plain.patterns).toBeUndefined();
    expect(examples.patterns.status).toBe("ok");
    expect(examples.progress.roles).toEqual(["locator", "analyzer", "patterns"]);
  });

  it("X-35 with several roots a reference starts with its root's label", async () => {
    const answer = await server.ask("research_codebase", { question: "Where is point_telescope?" });
    const label = other.path.split("/").at(-1);
    expect(answer.rootsSearched).toEqual([project.path, other.path]);
    expect(answer.locator.value.references[0]).toBe(`${label}/src/telescope.py:1`);
  });

  it("C-11 C-35 X-35 every reference is path or path:line, and the line exists", async () => {
    const answer = await server.ask("research_codebase", {
      question: "How are accounts, records and invoices handled?",
      ...inProject(),
    });
    for (const reference of answer.locator.value.references) {
      const [, path = "", line] = /^([^:]+)(?::(\d+))?$/.exec(reference) ?? [];
      const lines = (await readFile(join(project.path, path), "utf8")).split("\n");
      if (line !== undefined) expect(lines[Number(line) - 1]?.trim(), reference).not.toBe("");
    }
  });

  it("references give one line of every file before any file's second", async () => {
    const { locator } = await server.ask("research_codebase", {
      question: "How are accounts, records and invoices handled?",
      ...inProject(),
    });
    const files = locator.value.references.map((reference: string) => reference.replace(/:\d+$/, ""));
    const count = new Set(files).size;
    expect(new Set(files.slice(0, count)).size).toBe(count);
  });

  it("C-03 C-36 nothing is written unless it was asked for", async () => {
    const before = await treeOf(project.path);
    await server.ask("research_codebase", { question: "How are invoices sent?", ...inProject() });
    expect(await treeOf(project.path)).toBe(before);
    expect(await readdir(state.path)).not.toContain("artifacts");
  });

  it("C-41 progress is notified to a client that asked, and summed up in the answer", async () => {
    const result = await server.call(
      "research_codebase",
      { question: "How are invoices sent?", ...inProject() },
      { progressToken: "p1" },
    );
    const told = server.notifications.filter((note) => note.params?.progressToken === "p1");
    expect(told.length).toBeGreaterThanOrEqual(2);
    const { progress } = JSON.parse(result.content[0].text);
    expect(progress.roles).toContain("locator");
    expect(progress.timeouts).toBe(0);
  });

  it("C-32 an answer describes and does not advise", async () => {
    const answer = await server.ask("research_codebase", { question: "How are invoices sent?", ...inProject() });
    expect(answer.synthesis.summary).not.toMatch(/\b(?:should|recommend|consider)\b/i);
    expect(["low", "med", "high"]).toContain(answer.synthesis.confidence);
  });
});
