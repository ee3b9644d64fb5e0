// The page as a person uses it: real runs, real cuts, a real haven, in the system's Chromium against the built bins.
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { codexTranscript } from "../transcript-writer.mjs";
import { makeHaven, READ_FOCUS, READ_STEP, RUN_STEPS, taskId, writeLongRun, writeMeter } from "./history.ts";
import { launchBrowser, NARROW, openPage, type Watched, WIDE } from "./open-browser.ts";
import { createWorld, type World } from "./world.ts";

/** The machine may be busy with something else. */
const PATIENT = { timeout: 30_000 };
const LOSING = "cccccccc-1111-4222-8333-444455556666";
/** The words of a folded block of more than one line. */
const SEVERAL_LINES = /^\D*\d+ lines /;

let world: World;
let browser: Browser;
let url: string;
let watched: Watched[] = [];

beforeAll(async () => {
  world = createWorld();
  browser = await launchBrowser();
  ({ url } = await world.startViewer());
});
afterEach(async () => {
  const complaints = watched.flatMap((each) => each.complaints);
  for (const { page } of watched) await page.context().close();
  watched = [];
  // Nothing inline, nothing from elsewhere, nothing uncaught: whatever the test was about.
  expect(complaints).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

async function open(hash = "#/runs", options: Parameters<typeof openPage>[2] = WIDE): Promise<Page> {
  const opened = await openPage(browser, url, options, hash);
  watched.push(opened);
  return opened.page;
}

/** The ids of the runs that are there now, newest last. */
async function runIds(): Promise<string[]> {
  return (await readdir(join(world.state, "runs"))).sort();
}

describe("the page", () => {
  it("says what to do where there is nothing yet", async () => {
    const page = await open();
    await page.getByRole("heading", { name: "Nothing has been read yet" }).waitFor();
    await page.getByText("jeeves init claude-code").waitFor();
    await page.keyboard.press("3");
    await page.getByRole("heading", { name: "Nothing was cut yet" }).waitFor();
    await page.keyboard.press("4");
    await page.getByRole("heading", { name: "The cut appears here" }).waitFor();
    await page.keyboard.press("5");
    await page.getByRole("heading", { name: "This project has no shared tasks" }).waitFor();
    await page.getByText("rudder init").first().waitFor();
  });

  it("home says where nothing was found yet, and what to do", async () => {
    const page = await open("");
    await page.getByRole("heading", { name: "No session in this time" }).waitFor(PATIENT);
    await page.getByText("Nothing leaves it, and nothing is written to them.").waitFor();
    await page.getByText("jeeves setup", { exact: true }).waitFor();
  });

  it("a real run appears live, grows while it runs, and ends", async () => {
    const page = await open();
    const child = world.startRun("Look at how the server stops", [{ say: "First words." }, READ_STEP, { hold: true }]);
    const item = page.locator(".run-item", { hasText: "Look at how the server stops" });
    await item.getByText("running").waitFor();
    await item.click();
    await page.locator(".step.kind-message", { hasText: "First words." }).waitFor();
    const call = page.locator(".step.kind-call");
    await call.getByText("mcp:pruner/read").waitFor();
    await call.getByText(READ_FOCUS).waitFor();
    await call.locator(".sizes .percent").waitFor();
    child.kill("SIGINT");
    await page.locator(".step.kind-end", { hasText: "cancelled" }).waitFor();
    await page.locator(".run-head .status.is-cancelled").waitFor();
  });

  it("a call opens, and a block unfolds in place to exactly the lines that were left out", async () => {
    await world.run("Find out how the server stops", RUN_STEPS);
    const page = await open();
    await page.locator(".run-item", { hasText: "Find out how the server stops" }).click();
    await page.locator(".step.kind-call", { hasText: "http/serve-http.ts" }).click();
    await page.locator(".cut-focus", { hasText: READ_FOCUS }).waitFor();
    const source = readFileSync(join(world.project, "http", "serve-http.ts"), "utf8").split("\n");
    // The first block that has a line above it: what goes depends on the file, which changes.
    const bars = page.locator(".block-bar", { hasText: SEVERAL_LINES });
    await bars.first().waitFor();
    const ranges = (await bars.allTextContents()).map((text) => (/(\d+)–(\d+)/.exec(text) ?? []).map(Number));
    const place = ranges.findIndex(([, from = 0]) => from > 1);
    const [, from = 0, to = 0] = ranges[place] ?? [];
    expect(to).toBeGreaterThan(from);
    const bar = bars.nth(place);
    const lineOf = (n: number) => page.locator(".code-line", { has: page.locator(`.code-number:text-is("${n}")`) });
    // A kept line has its reason as a title; lines that were left out are not there yet.
    expect(
      await lineOf(from - 1)
        .locator(".code-why")
        .getAttribute("title"),
    ).toMatch(/^(evidence|support|header|fill|protected|error): /);
    expect(await lineOf(from).count()).toBe(0);
    await bar.click();
    expect(await bar.getAttribute("aria-expanded")).toBe("true");
    for (const n of [from, from + 1, to]) {
      await lineOf(n).scrollIntoViewIfNeeded();
      await lineOf(n).waitFor();
      expect(await lineOf(n).getAttribute("class")).toContain("dropped");
      await expect.poll(() => lineOf(n).locator(".code-text").textContent(), PATIENT).toBe(source[n - 1] || "");
    }
    await bar.scrollIntoViewIfNeeded();
    await bar.click();
    await expect.poll(() => lineOf(from).count(), PATIENT).toBe(0);
    // Code has colours, and can be shared as Markdown.
    await page.locator(".code-text .hl-word").first().waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const markdown = readFileSync(await (await saved).path(), "utf8");
    expect(markdown).toMatch(/^# .*http\/serve-http\.ts\n/);
    expect(markdown).toContain(`Question: ${READ_FOCUS}`);
    expect(markdown).toContain(`⟦… ${to - from + 1} lines ${from}-${to}`);
    expect(markdown).not.toContain(world.dir);
  });

  it("what was recovered later is said, with its lines", async () => {
    const page = await open();
    await page.locator(".run-item", { hasText: "Find out how the server stops" }).click();
    await page.locator(".step.kind-call", { hasText: "http/serve-http.ts" }).click();
    await page.getByText("Nothing was asked for again.").waitFor();
    const pruneId = (await page.locator(".figures code").textContent()) ?? "";
    const recover = world.start(["recover", pruneId, "--lines", "43-50"]);
    await new Promise((resolve) => recover.once("close", resolve));
    await page.getByText(/Asked for again:.*43–50.*by hand/).waitFor();
    // And from anywhere by its id.
    await page.keyboard.press("2");
    await page.getByRole("heading", { name: "Choose a run" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(pruneId);
    await page.keyboard.press("Enter");
    await page.locator(".cut-path", { hasText: "http/serve-http.ts" }).waitFor();
  });

  it("an expired prune id says so", async () => {
    const page = await open("#/cut/prn_aaaaaaaaaaaa");
    await page.getByRole("heading", { name: "This cut is no longer kept" }).waitFor();
    await page.getByText(/has expired, or was never stored here/).waitFor();
  });

  it("is used by keyboard alone: j k Enter Esc / e ?", async () => {
    const page = await open();
    await page.locator(".run-item.selected").first().waitFor();
    const first = await page.locator(".run-item.selected .run-title").textContent();
    await page.keyboard.press("j");
    await expect.poll(() => page.locator(".run-item.selected .run-title").textContent(), PATIENT).not.toBe(first);
    await page.keyboard.press("k");
    await expect.poll(() => page.locator(".run-item.selected .run-title").textContent(), PATIENT).toBe(first);
    await page.keyboard.press("/");
    await page.keyboard.type("find out how");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".run-item").count(), PATIENT).toBe(1);
    await page.keyboard.press("Enter");
    await page.locator(".step.kind-task").waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.press("j");
    await page.locator('.step[aria-selected="true"]', { hasText: "serve-http.ts" }).waitFor();
    await page.keyboard.press("e");
    await page.locator(".step", { hasText: "mcp_pruner.ready" }).waitFor();
    await page.keyboard.press("e");
    await page.locator(".step.kind-task").waitFor();
    for (let i = 0; i < 3; i++) await page.keyboard.press("j");
    await page.locator('.step[aria-selected="true"]', { hasText: "serve-http.ts" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".block-bar").first().waitFor();
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator('.block-bar[aria-expanded="true"]').count(), PATIENT).toBe(1);
    await page.keyboard.press("Escape");
    await page.locator(".timeline").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Choose a run" }).waitFor();
  });

  it("Enter opens what the keys moved to, whatever was clicked before", async () => {
    const page = await open("#/savings");
    await page.locator(".nav-item", { hasText: "Savings" }).click();
    await page.keyboard.press("2");
    await page.locator(".run-item.selected").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.locator(".run-head-title").waitFor();
    await page.locator(".run-item", { hasText: "Find out how the server stops" }).click();
    const call = page.locator(".step.kind-call", { hasText: "http/serve-http.ts" });
    const row = Number((await call.getAttribute("id"))?.replace("step-", ""));
    for (let i = 0; i <= row; i++) {
      await page.keyboard.press("j");
      await page.locator(`#step-${i}[aria-selected="true"]`).waitFor();
    }
    await page.keyboard.press("Enter");
    await page.locator(".cut-path", { hasText: "http/serve-http.ts" }).waitFor();
  });

  it("a line that is torn, a kind that is unknown and a run that is deleted are all shown", async () => {
    const id = "20261101T000000Z-0000dead";
    const file = writeLongRun(world, { id, events: 6 });
    const line = (event: string, data: object) =>
      `${JSON.stringify({ ts: "2026-11-01T00:00:00.000Z", level: "info", event, data })}\n`;
    const unanswered = line("agent.tool_call", { id: "c1", tool: "Bash", input: { command: "make" } });
    const unknown = line("weather.changed", { wind: 7, sky: "<img src=x onerror=alert(1)>" });
    writeFileSync(file, `${unanswered}${unknown}{"ts":"2026-`);
    const page = await open(`#/runs/${id}`);
    await page.locator(".step", { hasText: "weather.changed" }).waitFor();
    // The run has ended: nothing is at work in it.
    await page.locator(".step.kind-call", { hasText: "no result" }).waitFor();
    // Text is data.
    await page.locator(".step", { hasText: "<img src=x onerror=alert(1)>" }).waitFor();
    await page.locator(".step.kind-torn", { hasText: "torn line" }).waitFor();
    await page.locator(".step", { hasText: "weather.changed" }).click();
    await page.locator(".drawer pre", { hasText: '"wind": 7' }).waitFor();
    await page.keyboard.press("Escape");
    rmSync(join(world.state, "runs", id), { recursive: true });
    await page.getByRole("heading", { name: "No longer there" }).waitFor();
    expect(await runIds()).not.toContain(id);
  });

  it("a task, a path and a message without a blank break instead of leaving the screen", async () => {
    const id = "20261101T000000Z-0000long";
    writeLongRun(world, { id, events: 6 });
    const word = "x".repeat(300);
    const run = { prompt: word, provider: "codex", cwd: `/${word}`, status: "failed", message: word };
    writeFileSync(join(world.state, "runs", id, "run.json"), JSON.stringify(run));
    const page = await open(`#/runs/${id}`, NARROW);
    const head = page.locator(".run-head");
    await head.locator(".run-message").waitFor();
    const widths = await head.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(widths[0]).toBe(widths[1]);
  });

  it("100,000 events: only what can be seen is there, and any of them is reached", async () => {
    const id = "20261101T000000Z-00100000";
    writeLongRun(world, { id, events: 99_999 });
    const page = await open(`#/runs/${id}`);
    await page.locator(".step", { hasText: "src/file-0.ts" }).waitFor();
    await page.getByText("66,666 rows").waitFor();
    await page.keyboard.press("e");
    await page.getByText("99,999 rows").waitFor();
    await page.locator(".timeline").focus();
    await page.keyboard.press("End");
    await page.locator(".step", { hasText: "This was call 33332." }).waitFor();
    for (let i = 0; i <= 20; i++) {
      await page.locator(".timeline").evaluate((list, share) => {
        list.scrollTop = (list.scrollHeight - list.clientHeight) * share;
      }, i / 20);
    }
    await page.locator(".timeline").evaluate((list) => {
      list.scrollTop = list.scrollHeight / 2;
    });
    await page.locator(".step", { hasText: "This was call 16666." }).waitFor();
    expect(await page.locator(".step").count()).toBeLessThan(80);
    rmSync(join(world.state, "runs", id), { recursive: true });
  });

  it("a list too tall for a browser is still reached row by row, and to its end", async () => {
    const id = "20261101T000000Z-00300000";
    writeLongRun(world, { id, events: 300_000 });
    const page = await open(`#/runs/${id}`);
    await page.locator(".step", { hasText: "src/file-0.ts" }).waitFor();
    await page.keyboard.press("e");
    await page.getByText("300,000 rows").waitFor();
    const list = page.locator(".timeline");
    expect(await list.evaluate((element) => element.scrollHeight)).toBeLessThan(10_000_000);
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight / 2;
    });
    await page
      .locator(".step", { hasText: /This was call 5\d{4}\./ })
      .first()
      .waitFor();
    // Small moves are exact: one row on is one row on.
    const firstRow = () => page.locator(".step").first().getAttribute("aria-posinset");
    const before = Number(await firstRow());
    await list.evaluate((element) => {
      element.scrollTop += 460;
    });
    await expect.poll(async () => Number(await firstRow()), PATIENT).toBe(before + 10);
    await page.keyboard.press("End");
    await page.locator('.step[aria-selected="true"]', { hasText: "This was call 99999." }).waitFor();
    await page.keyboard.press("k");
    await page.locator('.step[aria-selected="true"][aria-posinset="299999"]').waitFor();
    rmSync(join(world.state, "runs", id), { recursive: true });
  });

  it("Try it: the slider changes the cut at once, and nothing is written", async () => {
    const written = () => readdir(world.dir, { recursive: true });
    const before = await written();
    const page = await open("#/try");
    await page.getByRole("button", { name: "Use a sample" }).click();
    const figures = page.locator(".try-figures");
    await figures.waitFor();
    await page.locator(".code-line", { hasText: "Cannot read properties of undefined" }).count();
    const keptAt = async (percent: number): Promise<number> => {
      await page.locator("#keep").fill(String(percent));
      await page.locator("output", { hasText: `${percent}%` }).waitFor();
      let last = "";
      await expect
        .poll(
          async () => {
            const [now, was] = [(await figures.textContent()) ?? "", last];
            last = now;
            return now === was && (await page.locator(".try-out").getAttribute("aria-busy")) === "false";
          },
          { timeout: 30_000, interval: 400 },
        )
        .toBe(true);
      return Number(/\((<?\d+)%\)/.exec(last)?.[1]);
    };
    const shares = [await keptAt(10), await keptAt(50), await keptAt(100)];
    expect(shares[0]).toBeLessThan(20);
    expect(shares[1]).toBeGreaterThan(shares[0] ?? 100);
    expect(shares[2]).toBe(100);
    await expect.poll(() => page.locator(".block-bar").count(), PATIENT).toBe(0);
    await page.getByRole("button", { name: "Auto" }).click();
    await page.locator("output", { hasText: "what the evidence says" }).waitFor();
    await page.locator("textarea").fill("const port = 8080;\n");
    await page.locator(".code-line", { hasText: "const port = 8080;" }).waitFor();
    expect(await written()).toEqual(before);
  });

  it("Try it: a dropped file is cut like a pasted one", async () => {
    const page = await open("#/try");
    const text = readFileSync(join(world.project, "http", "serve-http.ts"), "utf8");
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "serve-http.ts"));
      return transfer;
    }, text);
    await page.locator(".try").dispatchEvent("drop", { dataTransfer: dropped });
    await page.getByLabel("What do you want to know?").fill(READ_FOCUS);
    await page.locator(".try-head", { hasText: "typescript" }).waitFor();
    await page.locator(".block-bar").first().waitFor();
    await page.locator('input[type="file"]').setInputFiles(join(world.project, "haven", "logs.ts"));
    await page.locator(".field code", { hasText: "logs.ts" }).waitFor();
  });

  it("Tasks: the board follows a claim that another process makes", async () => {
    await makeHaven(world);
    const page = await open("#/tasks");
    const column = (name: string) => page.getByRole("region", { name, exact: true });
    await column("Claimed")
      .locator(`[data-task="${taskId(2)}"]`, { hasText: "grace" })
      .waitFor();
    await column("Ready")
      .locator(`[data-task="${taskId(3)}"]`)
      .waitFor();
    await column("Blocked")
      .locator(`[data-task="${taskId(5)}"]`, { hasText: "waits for T002, T003" })
      .waitFor();
    await column("Done")
      .locator(`[data-task="${taskId(1)}"]`)
      .waitFor();
    await world.rudder(["assign", "claim", taskId(3)], "linus");
    const card = column("Claimed").locator(`[data-task="${taskId(3)}"]`);
    await card.getByText("linus").waitFor();
    expect(await card.locator(".left").textContent()).toMatch(/^(29|30):\d\d$/);
    await page.getByRole("list", { name: "Who holds what" }).getByText("linus").waitFor();
    await page.getByRole("button", { name: "Dependencies" }).click();
    await page.getByRole("img", { name: "10 tasks, 10 dependencies" }).waitFor();
    await page.getByRole("button", { name: "Agents" }).click();
    await page.getByText("No agent was spawned").waitFor();
    // Without a script it ends at once, as an error.
    const spawn = ["agent", "spawn", taskId(3), "--provider", "scripted", "--no-sandbox", "--no-worktree", "--wait"];
    await world.rudder(["assign", "release", taskId(3), "--status", "todo"], "linus");
    await expect(world.rudder(spawn)).rejects.toThrow("JEEVES_SCRIPT");
    const row = page.getByRole("table", { name: "Agents" }).getByRole("row", { name: `agent-${taskId(3)}` });
    await row.getByText("error").waitFor();
    await page.getByRole("button", { name: "Memory" }).click();
    await world.rudder(["task", "log", taskId(3), "Messages may come twice", "--warn"], "linus");
    await page.getByText("Messages may come twice").waitFor();
  });

  it("X-57 Savings: the first line of jeeves stats, the bill by part, what was cut and lost, and the charts of it", async () => {
    writeMeter(world);
    writeFileSync(join(world.dir, ".claude", "CLAUDE.md"), "Write tests first.\n".repeat(200));
    const page = await open("#/savings");
    const line = page.locator(".headline", { hasText: /^net \d+\.\d % of \d+(\.\d)? [kM] tokens over \d+ sessions/ });
    await line.waitFor();
    const said = await world.jeeves(["stats"]);
    expect(said.split("\n")[0]).toBe(await line.textContent());
    const bill = page.locator(".bill-table");
    const shares = await bill.locator("td:last-child").allTextContents();
    expect(shares).toHaveLength(5);
    expect(shares.reduce((sum, share) => sum + Number.parseFloat(share), 0)).toBeCloseTo(100, 0);
    await page.locator(".filling-table", { hasText: "CLAUDE.md" }).waitFor();
    await page.locator(".sum.of-asked-again", { hasText: /predicted of \d+/ }).waitFor();
    await page.getByText(/sessions without a transcript: net about/).waitFor();
    await page.locator(".sum-figure", { hasText: /^\$\d/ }).waitFor();
    await page.locator(".chart canvas").first().waitFor();
    expect(await page.locator(".chart canvas").count()).toBe(2);
    await page.locator(".parts-table", { hasText: "By tool" }).getByText("Bash", { exact: true }).waitFor();
    await page.getByLabel("$ per million input tokens").fill("0");
    await page.locator(".sum-figure", { hasText: "$0.00" }).waitFor();
    const loss = { kind: "recovered", session: LOSING, client: "codex", tool: "Bash", project: "/p", kept_tokens: 0 };
    const dir = join(world.dir, ".codex", "sessions", "2026", "11", "01");
    const call = {
      at: new Date().toISOString(),
      usage: { plain: 90_000, output: 50 },
      tools: [{ tool: "shell", text: "x" }],
    };
    const steps = [call, { ...call, usage: { cached: 90_000, plain: 100, output: 50 } }];
    writeFileSync(
      join(dir, `rollout-2026-11-01T11-00-00-${LOSING}.jsonl`),
      codexTranscript({ session: LOSING, steps }),
    );
    const now = new Date().toISOString();
    const lines = Array.from({ length: 400 }, () => JSON.stringify({ ts: now, ...loss, raw_tokens: 6_000 }));
    writeFileSync(join(world.state, "meter", `${now.slice(0, 7)}.jsonl`), `${lines.join("\n")}\n`, { flag: "a" });
    await page.getByLabel("$ per million input tokens").fill("3");
    await page.locator(".sum-net.loss .sum-figure", { hasText: /^−\$\d/ }).waitFor();
    await page.locator(".lost-table", { hasText: "Sessions that lost" }).waitFor();
  });

  it("X-55 the page keeps its token out of its address, gives it to every tab, and without it says what to do", async () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
    const page = await open();
    await page.locator(".run-item").first().waitFor();
    expect(page.url()).not.toContain("token");
    expect(await page.context().cookies()).toEqual([]);
    const tab = await page.context().newPage();
    await tab.goto(new URL("/#/savings", url).href);
    await tab.locator(".chart canvas").first().waitFor();
    const bare = await openPage(browser, new URL("/", url).href);
    watched.push(bare);
    await bare.page.getByRole("heading", { name: "This address lacks its token" }).waitFor();
    await bare.page.getByText("#token=…").waitFor();
    await bare.page.getByText("not connected").waitFor();
    for (const key of ["3", "5"]) {
      await bare.page.keyboard.press(key);
      await bare.page.getByRole("heading", { name: "This address lacks its token" }).waitFor();
    }
    // Pasted into the tab that is open.
    await bare.page.goto(url);
    await bare.page.getByText("live", { exact: true }).waitFor();
    await bare.page.keyboard.press("2");
    await bare.page.locator(".run-item").first().waitFor();
  });

  it("X-55 a page of another port gets nothing of it, by script or by fetch, with a token or without", async () => {
    const stranger = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<title>another page</title>");
    });
    stranger.listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const { port } = stranger.address() as AddressInfo;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const [, token = ""] = url.split("#token=");
    const read = await page.evaluate(
      async ({ at, authorization }) => {
        const script = document.createElement("script");
        script.src = at;
        const loaded = new Promise((resolve) => {
          script.onload = () => resolve("loaded");
          script.onerror = () => resolve("refused");
        });
        document.head.append(script);
        const ask = (init: RequestInit) => fetch(at, init).then((answer) => answer.status, String);
        return [await loaded, await ask({}), await ask({ headers: { authorization } })];
      },
      { at: new URL("/api/runs", url).href, authorization: `Bearer ${token}` },
    );
    expect(read).toEqual(["refused", "TypeError: Failed to fetch", "TypeError: Failed to fetch"]);
    await context.close();
    stranger.close();
  });

  it("a viewer beyond loopback opens with the printed address, and without its token shows nothing", async () => {
    const beyond = await world.startViewer(["--host", "0.0.0.0", "--port", "0"]);
    const address = beyond.url.replace("0.0.0.0", "127.0.0.1");
    const opened = await openPage(browser, address);
    watched.push(opened);
    await opened.page.getByText("live", { exact: true }).waitFor();
    await opened.page.keyboard.press("2");
    await opened.page.locator(".run-item").first().waitFor();
    expect(opened.page.url()).not.toContain("token");
    const bare = await openPage(browser, address.replace(/#.*/, ""));
    watched.push(bare);
    await bare.page.getByRole("heading", { name: "This address lacks its token" }).waitFor();
    beyond.child.kill("SIGTERM");
  });

  it("X-55 a viewer that goes away is said to be gone; when it is back, its new address is asked for and opens it", async () => {
    const first = await world.startViewer();
    const opened = await openPage(browser, first.url);
    const { page } = opened;
    await page.locator('html[data-live="live"]').waitFor();
    first.child.kill("SIGTERM");
    await page.getByText("not connected").waitFor();
    const again = await world.startViewer(["--port", new URL(first.url).port]);
    await page.getByRole("heading", { name: "This address lacks its token" }).waitFor();
    await page.goto(again.url);
    await page.locator('html[data-live="live"]').waitFor();
    await page.keyboard.press("2");
    world.startRun("A run after the storm", [{ say: "Here again." }]);
    await page.locator(".run-item", { hasText: "A run after the storm" }).waitFor();
    // Its complaints are the browser's own, about the server that was gone.
    await page.context().close();
  });

  it("any number of tabs show their run: one that is not seen holds no stream, and goes on when it is", async () => {
    const see = (page: Page, state: "visible" | "hidden") =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    const opened = await openPage(browser, url, WIDE, `#/runs/${(await runIds()).at(-1)}`);
    watched.push(opened);
    const first = opened.page;
    let before = first;
    for (let tab = 0; tab < 7; tab++) {
      await see(before, "hidden");
      const page = await first.context().newPage();
      await page.goto(first.url(), PATIENT);
      await page.locator(".step").first().waitFor(PATIENT);
      await page.locator('html[data-live="live"]').waitFor(PATIENT);
      before = page;
    }
    const asked = first.waitForRequest((request) => request.url().includes("/api/live"), PATIENT);
    await see(first, "visible");
    await asked;
  });

  it("what happened just now is minutes ago in a page that stays open", async () => {
    await world.run("A run that grows old", [{ say: "Done." }]);
    const page = await open();
    await page.clock.install();
    await page.reload();
    const item = page.locator(".run-item", { hasText: "A run that grows old" });
    await item.getByText("just now").waitFor();
    await page.clock.fastForward("10:00");
    await item.getByText(/^1\d min ago$/).waitFor();
  });

  it("is readable at 400 pixels: nothing is wider than the screen", async () => {
    for (const hash of ["#/home", "#/runs", "#/savings", "#/try", "#/tasks", `#/runs/${(await runIds()).at(-1)}`]) {
      const page = await open(hash, NARROW);
      await page.locator("main :is(h1, h2):visible").first().waitFor();
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect([hash, widths[0]]).toEqual([hash, widths[1]]);
    }
  });
});
