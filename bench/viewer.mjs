// How the page copes with 100,000 events: the time until they can be read, beside the same page with nothing to
// show, and how long a frame takes while they are scrolled through. `npm run bench -- viewer [--events N]`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { root } from "../scripts/setup.mjs";
import { CHROMIUM, findSystemProgram } from "../scripts/system-program.mjs";
import { median, print, printFigure, printTitle } from "./figures.mjs";
import { createTempDir } from "./temp-dir.mjs";

const given = process.argv.indexOf("--events");
const EVENTS = given === -1 ? 100_000 : Number(process.argv[given + 1]);
const OPENINGS = 5;
const SCROLL_STEPS = 240;

const dir = createTempDir();
const runId = "20261101T000000Z-00100000";
writeRun(join(dir, "state", "runs", runId));
const viewer = spawn(process.execPath, [join(root, "packages/cli/dist/jeeves.js"), "viewer", "--port", "0"], {
  cwd: dir,
  env: { PATH: process.env.PATH, HOME: dir, TMPDIR: dir, JEEVES_STATE_DIR: join(dir, "state") },
  stdio: ["ignore", "pipe", "inherit"],
});
const browser = await chromium.launch({ executablePath: findSystemProgram(CHROMIUM), args: ["--no-sandbox"] });
try {
  const [line] = await once(viewer.stdout.setEncoding("utf8"), "data");
  const [url, token] = line.trim().split("#token=");
  printTitle(`viewer: a run of ${EVENTS.toLocaleString("en-US")} events in Chromium ${browser.version()}`);
  const empty = await openings({ url, token }, "#/try", ".try textarea");
  const full = await openings({ url, token }, `#/runs/${runId}`, ".step .step-kind");
  printFigure("the same server's page with nothing to show", median(empty) / 1000, { unit: " s" });
  printFigure("the run, first time (its log is looked through)", full[0] / 1000, { unit: " s", atMost: 2 });
  printFigure("the run, median of the others", median(full.slice(1)) / 1000, { unit: " s", atMost: 2 });
  printFigure("beside the empty page", median(full.slice(1)) / median(empty), { unit: "×" });
  const frames = await scroll({ url, token });
  printFigure("frame while nothing moves, median", median(frames.idle), { unit: " ms", digits: 1 });
  printFigure("frame while scrolling, median", median(frames.moving), { unit: " ms", digits: 1, atMost: 20 });
  printFigure("frame while scrolling, 95th percentile", quantile(frames.moving, 0.95), { unit: " ms", digits: 1 });
  print(`  rows in the page at the end: ${frames.rows}`);
} finally {
  await browser.close();
  viewer.kill("SIGTERM");
  await once(viewer, "close");
}

/** In the page: as if the printed address had been opened before. */
function keepToken(token) {
  localStorage.setItem("jeeves-token", token);
}

async function openings({ url, token }, hash, selector) {
  const times = [];
  for (let i = 0; i < OPENINGS; i++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(keepToken, token);
    const from = performance.now();
    await page.goto(`${url}${hash}`);
    await page.locator(selector).first().waitFor();
    times.push(performance.now() - from);
    await context.close();
  }
  return times;
}

/** Frame times while the list is moved by most of a screen in every frame, as a wheel that does not stop would. */
async function scroll({ url, token }) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(keepToken, token);
  await page.goto(`${url}#/runs/${runId}`);
  await page.locator(".step .step-kind").first().waitFor();
  await page.keyboard.press("e");
  await page.getByText(`${EVENTS.toLocaleString("en-US")} rows`).waitFor();
  const frames = await page.evaluate(async (steps) => {
    const list = document.querySelector(".timeline");
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const measure = async (move) => {
      const times = [];
      let last = await next();
      for (let i = 0; i < steps; i++) {
        move();
        const now = await next();
        times.push(now - last);
        last = now;
      }
      return times;
    };
    const idle = await measure(() => {});
    const moving = await measure(() => {
      list.scrollTop += 480;
    });
    return { idle, moving, rows: document.querySelectorAll(".step").length };
  }, SCROLL_STEPS);
  await page.close();
  return frames;
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** As the runner writes one: calls, results, and what the agent said about them. */
function writeRun(where) {
  mkdirSync(where, { recursive: true });
  const from = Date.UTC(2026, 10, 1);
  const lines = [];
  const add = (event, data) => {
    const ts = new Date(from + lines.length * 10).toISOString();
    lines.push(JSON.stringify({ ts, level: "info", event, data: { run_id: runId, ...data } }));
  };
  for (let call = 0; lines.length < EVENTS; call++) {
    const base = { id: `call_${call}`, tool: "mcp:pruner/read" };
    add("agent.tool_call", { ...base, input: { file_path: `src/file-${call}.ts`, context_focus_question: "why?" } });
    const sizes = { raw_bytes: 4_000 + ((call * 37) % 9_000), kept_bytes: 900, recovered_bytes: 0 };
    if (lines.length < EVENTS)
      add("agent.tool_result", { ...base, is_error: false, text: "kept ".repeat(80), ...sizes });
    if (lines.length < EVENTS) add("agent.message", { text: `This was call ${call}.` });
  }
  writeFileSync(join(where, "events.jsonl"), `${lines.join("\n")}\n`);
  const run = { schema_version: 1, provider: "scripted", cwd: "/p", prompt: "A long run", status: "completed" };
  writeFileSync(join(where, "run.json"), JSON.stringify({ ...run, started_at: new Date(from).toISOString() }));
}
