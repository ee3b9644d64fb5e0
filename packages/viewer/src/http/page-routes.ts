// The page's own files, read once at the start. A requested path is looked up among their names and never opened as a file.
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { HttpRoute } from "@jeeves/kit/http";
import { PAGE_HEADERS } from "./page-headers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
};

/** A route for each file of the built page. Rejects where the page has not been built. */
export async function createPageRoutes(pageDir: string): Promise<HttpRoute[]> {
  const names = await readdir(pageDir, { recursive: true }).catch(() => []);
  const files = names.map((name) => name.replaceAll("\\", "/")).filter((name) => extname(name) in TYPES);
  if (!files.includes("index.html")) {
    throw new Error(`the page is not built: there is no index.html in ${pageDir} (node scripts/build-viewer.mjs)`);
  }
  return Promise.all(
    files.sort().map(async (name) => {
      const body = await readFile(join(pageDir, name), "utf8");
      return toRoute(name === "index.html" ? "/" : `/${name}`, body, TYPES[extname(name)] ?? "");
    }),
  );
}

function toRoute(path: string, body: string, type: string): HttpRoute {
  return {
    path,
    methods: ["GET", "HEAD"],
    access: "open", // the page's own files contain no data of users
    handle: async () => ({ status: 200, body, headers: { ...PAGE_HEADERS, "content-type": type } }),
  };
}
