// What is said to occur nowhere: only what no text and no name has, where everything was looked into.
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RoleResult } from "../../src/runtime/outcome.ts";
import { askAbout } from "../asking.ts";
import { writeFiles } from "../made-project.ts";

async function locate(question: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<RoleResult> {
  const { locator } = await askAbout(
    question,
    (dir) => writeFiles(dir, files),
    (researcher, asked) => researcher.locate(asked),
  );
  if (locator.status !== "ok") throw new Error(locator.status);
  return locator.value;
}

describe("names of files", () => {
  const FILES = {
    "README.md": "# Shop\n\nSells books.\n",
    "scripts/deploy_prod.sh": "echo going\n",
    "scripts/roll-back.sh": "echo back\n",
    "src/UserService.ts": "export default class {\n  find() {\n    return 1;\n  }\n}\n",
    "src/order-service.ts": "export default class {\n  list() {\n    return 1;\n  }\n}\n",
    "src/billing_engine/a.ts": "export const rate = 1;\n",
    Dockerfile: "FROM scratch\n",
  };

  it.each([
    ["What does deploy_prod.sh do?", "scripts/deploy_prod.sh"],
    ["What does `scripts/roll-back.sh` do?", "scripts/roll-back.sh"],
    ["Where is the UserService?", "src/UserService.ts"],
    ["Where is the OrderService?", "src/order-service.ts"],
    ["Where is billing_engine?", "src/billing_engine/a.ts"],
    ["What is in `Dockerfile`?", "Dockerfile"],
  ])("C-33 X-35 %s is answered by the file of that name", async (question, path) => {
    const { summary, references } = await locate(question, FILES);
    expect(summary).not.toMatch(/not found/i);
    expect(references[0]?.replace(/:\d+$/, "")).toBe(path);
  });

  it("C-33 a name that only shares words with a file is not found", async () => {
    const { summary, references } = await locate("Where is deploy_prod_again? And the UserServiceFactory?", FILES);
    expect(summary).toBe("Not found in the searched roots: deploy_prod_again, UserServiceFactory occurs nowhere.");
    expect(references).toEqual([]);
  });

  it("C-24 C-33 how a file works that is known by its name alone: it is named, and nothing is quoted", async () => {
    const { analyzer } = await askAbout(
      "What does deploy_prod.sh do?",
      (dir) => writeFiles(dir, FILES),
      (researcher, asked) => researcher.analyze(asked),
    );
    expect(analyzer).toMatchObject({
      value: {
        summary: "Best match: scripts/deploy_prod.sh; no line of it could be quoted.",
        references: ["scripts/deploy_prod.sh"],
      },
    });
  });

  it("C-33 a file too large to read is found by its name", async () => {
    const files = { ...FILES, "data/price_list.sql": "-- filler of a line\n".repeat(60_000) };
    const { summary, references } = await locate("What is in price_list.sql?", files);
    expect(summary).toBe("price_list is at data/price_list.sql, in a file too large to read.");
    expect(references).toEqual(["data/price_list.sql"]);
  });
});

it.runIf(process.platform !== "win32")(
  "C-33 where the search for a name takes too long the answer stands, and does not call the name missing",
  async () => {
    const { PATH } = process.env;
    try {
      const { locator } = await askAbout(
        "How does `Retries` work with the backoff of invoices?",
        async (dir) => {
          await writeFiles(dir, { "src/retry.py": "def retry(invoice):\n    return backoff(invoice)\n" });
          await mkdir(join(dir, ".bin"));
          await writeFile(join(dir, ".bin", "rg"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
          process.env.PATH = `${join(dir, ".bin")}${delimiter}${PATH}`;
        },
        (researcher, asked) => researcher.locate(asked),
      );
      expect(locator).toMatchObject({
        status: "ok",
        value: {
          references: [expect.stringContaining("src/retry.py")],
          notes: "the search for these names took too long: Retries",
        },
      });
    } finally {
      process.env.PATH = PATH;
    }
  },
);

describe("files that are not like the others", () => {
  const README = { "README.md": "# Shop\n\nSells books.\n" };
  const LEGACY = "\ufeffpublic class LegacyLedger {\n}\n";
  const FILLER = "// a line of filler\n".repeat(60_000);

  it.each([
    ["little", Buffer.from(LEGACY, "utf16le")],
    ["big", Buffer.from(LEGACY, "utf16le").swap16()],
  ])("C-33 UTF-16 with its byte order mark is a text: %s endian", async (_, bytes) => {
    const { summary, references } = await locate("Where is LegacyLedger?", { ...README, "src/legacy.cs": bytes });
    expect(summary).toBe("1 file; best: src/legacy.cs.");
    expect(references).toEqual(["src/legacy.cs"]);
  });

  it("C-33 UTF-16 may be too large to read, like every text", async () => {
    const bytes = Buffer.from(`\ufeff${FILLER}class LegacyLedger {}\n`, "utf16le");
    const { references } = await locate("Where is LegacyLedger?", { ...README, "src/legacy.cs": bytes });
    expect(references).toEqual(["src/legacy.cs:60001"]);
  });

  it("C-33 what no reference can name was not looked into: nothing is said to occur nowhere, and it is said why", async () => {
    const files = { ...README, "src/a:b.ts": "export class ColonKeeper {}\n", "src/c:d.ts": "export {};\n" };
    const { summary, references, notes } = await locate("Where is ColonKeeper?", files);
    expect(summary).toBe("Not found in the searched roots: ColonKeeper was not seen.");
    expect(references).toEqual([]);
    expect(notes).toBe("files looked into: 1; not read, for their kind, size or name: 2");
    expect((await locate("Which books are sold?", files)).notes).toBeNull();
  });

  it.runIf(process.platform === "linux")(
    "C-33 a name that may be in files whose names are no UTF-8, or that are no texts, is not said to occur nowhere",
    async () => {
      const { locator } = await askAbout(
        "Where is OddKeeper?",
        async (dir) => {
          await writeFiles(dir, { ...README, "a.txt": Buffer.from("\0OddKeeper") });
          await writeFile(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xe9])]), "class OddKeeper {}\n");
        },
        (researcher, asked) => researcher.locate(asked),
      );
      expect(locator).toMatchObject({
        value: {
          summary: "Not found in the searched roots: OddKeeper was not seen.",
          notes: "files looked into: 1; not read, for their kind, size or name: 2",
        },
      });
    },
  );
});
