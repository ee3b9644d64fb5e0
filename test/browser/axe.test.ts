// Every view, wide and narrow, light and dark, through axe: nothing serious. And the pictures in docs/, which are made
// only where JEEVES_SCREENSHOTS asks for them, so that a test leaves the tree alone.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../scripts/setup.mjs";
import { makeHaven, RUN_STEPS, writeMeter, writeToday } from "./history.ts";
import { launchBrowser, NARROW, openPage, WIDE } from "./open-browser.ts";
import { createWorld, type World } from "./world.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TASK = "Find out how the server stops, and make the drain time a setting";

let world: World;
let browser: Browser;
let url: string;

beforeAll(async () => {
  world = createWorld();
  browser = await launchBrowser();
  writeMeter(world);
  writeToday(world);
  await world.run(TASK, RUN_STEPS);
  await makeHaven(world);
  world.startRun("Keep an eye on the quay", [...RUN_STEPS.slice(0, 3), { hold: true }]);
  ({ url } = await world.startViewer());
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

interface View {
  readonly name: string;
  readonly show: (page: Page) => Promise<void>;
}

const VIEWS: readonly View[] = [
  {
    name: "home",
    async show(page) {
      await page.goto(new URL("/#/home", url).href);
      await page.locator(".policy-table tbody tr").first().waitFor({ timeout: 60_000 });
    },
  },
  {
    name: "runs",
    async show(page) {
      await page.goto(new URL("/#/runs", url).href);
      await page.locator(".run-item", { hasText: TASK }).click();
      await page.locator(".step.kind-call .sizes").first().waitFor();
    },
  },
  {
    name: "call",
    async show(page) {
      await page.locator(".step.kind-call", { hasText: "serve-http.ts" }).click();
      await page.locator(".block-bar", { hasText: "imports" }).first().click();
      await page.locator(".code-line.dropped").first().waitFor();
    },
  },
  {
    name: "savings",
    async show(page) {
      await page.goto(new URL("/#/savings", url).href);
      await page.locator(".chart canvas").nth(1).waitFor();
    },
  },
  {
    name: "try",
    async show(page) {
      await page.goto(new URL("/#/try", url).href);
      await page.getByRole("button", { name: "Use a sample" }).click();
      await page.locator(".block-bar").first().waitFor();
    },
  },
  {
    name: "tasks",
    async show(page) {
      await page.goto(new URL("/#/tasks", url).href);
      await page.locator(".card .lease").first().waitFor();
    },
  },
  {
    name: "graph",
    async show(page) {
      await page.getByRole("button", { name: "Dependencies" }).click();
      await page.locator(".node").first().waitFor();
    },
  },
  {
    name: "agents",
    async show(page) {
      await page.getByRole("button", { name: "Agents" }).click();
      await page.getByText("No agent was spawned").waitFor();
    },
  },
  {
    name: "memory",
    async show(page) {
      await page.getByRole("button", { name: "Memory" }).click();
      await page.locator(".memory li").first().waitFor();
    },
  },
  {
    name: "keys",
    async show(page) {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
];

/** [view, rule, where]: what axe calls serious or critical. */
async function seriousOf(page: Page, view: string): Promise<string[][]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
        }>;
      };
    };
    return (await axe.run()).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      where: nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`),
    }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, where }) => [view, id, where[0] ?? ""]);
}

const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["light", WIDE],
  ["dark", { ...WIDE, colorScheme: "dark" }],
  ["narrow", NARROW],
];
/** One picture of each view: enough to see what it is, small enough for a repository. */
const PICTURES: Readonly<Record<string, readonly string[]>> = {
  light: ["home", "runs", "call", "savings", "try", "tasks", "memory"],
  dark: ["home", "graph"],
  narrow: ["home", "call"],
};

describe("axe and the pictures", () => {
  it.each(LOOKS)("no view has a serious violation, and none complains (%s)", async (look, options) => {
    const { page, complaints } = await openPage(browser, url, options);
    const serious: string[][] = [];
    for (const { name, show } of VIEWS) {
      await show(page);
      serious.push(...(await seriousOf(page, name)));
      if (process.env.JEEVES_SCREENSHOTS && PICTURES[look]?.includes(name)) {
        const file = `viewer-${name}${look === "light" ? "" : `-${look}`}.png`;
        await page.mouse.move(0, 0);
        await page.screenshot({ path: join(root, "docs", file) });
      }
    }
    await page.context().close();
    expect(serious).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
