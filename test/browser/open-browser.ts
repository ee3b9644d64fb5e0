// The system's Chromium with our page in it. What the page writes to its console, and requests to other servers, are
// collected: both must stay empty.
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { CHROMIUM, findSystemProgram } from "../../scripts/system-program.mjs";

export interface Watched {
  readonly page: Page;
  /** Console errors, uncaught errors, refused policies, requests to strangers. */
  readonly complaints: string[];
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findSystemProgram(CHROMIUM), args: ["--no-sandbox", "--disable-gpu"] });
}

export const WIDE = { viewport: { width: 1280, height: 800 } } as const;
export const NARROW = { viewport: { width: 400, height: 800 } } as const;

/** `hash`: the view to open instead, as a tab that has been given the token before. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = WIDE,
  hash = "",
): Promise<Watched> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on("console", (message) => {
    // A 404 is an answer that the page shows; the browser mentions it all the same.
    if (message.type() === "error" && !/status of 40[14]/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked ${request.url()}`);
  });
  page.setDefaultTimeout(30_000);
  if (hash !== "") {
    const [, token = ""] = url.split("#token=");
    await page.addInitScript((given) => localStorage.setItem("jeeves-token", given), token);
  }
  await page.goto(hash === "" ? url : `${origin}/${hash}`);
  return { page, complaints };
}
