// One budget over everything that is read.
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createReader } from "../../src/runtime/reader.ts";
import { DEFAULT_DENY } from "../../src/settings.ts";
import { type MadeDir, makeTempDir, writeFiles } from "../made-project.ts";

let dir: MadeDir;
let outside: MadeDir;
const signal = new AbortController().signal;
const redact = async (text: string): Promise<string> => text;
const limits = { maxFilesRead: 50, maxBytesRead: 10_000, maxFileBytes: 5_000, deny: DEFAULT_DENY, redact };

beforeAll(async () => {
  [dir, outside] = await Promise.all([makeTempDir(), makeTempDir()]);
  await writeFiles(dir.path, {
    "a.py": "line one\nline two\n",
    "b.py": "x = 1\n",
    "big.py": "abcdefghi\n".repeat(1_000),
    ".env": "PASSWORD=x\n",
    id_rsa: "key\n",
    ".ssh/config": "Host x\n",
  });
  await writeFile(join(dir.path, "binary.py"), Buffer.from([1, 0, 2]));
  await writeFiles(outside.path, { "secret.py": "out\n" });
  await symlink(join(outside.path, "secret.py"), join(dir.path, "link.py"));
  await mkdir(join(dir.path, "folder.py"));
});
afterAll(() => Promise.all([dir.remove(), outside.remove()]));

const root = () => ({ path: dir.path, label: "dir" });

describe("reader", () => {
  it("C-21 X-33 a file is read once and charged once, for all who ask", async () => {
    const reader = createReader({ ...limits, maxFilesRead: 1 });
    const [first, again] = await Promise.all([
      reader.read(root(), "a.py", signal),
      reader.read(root(), "a.py", signal),
    ]);
    expect(first?.text).toBe("line one\nline two\n");
    expect(again).toBe(first);
    expect(await reader.read(root(), "b.py", signal)).toBeUndefined();
    expect([reader.filesRead, reader.refused]).toEqual([1, 1]);
  });

  it("C-21 readers side by side never overdraw the bytes", async () => {
    const reader = createReader({ ...limits, maxBytesRead: 4_000 });
    await Promise.all(["big.py", "a.py", "b.py"].map((path) => reader.read(root(), path, signal)));
    expect(reader.bytesRead).toBeLessThanOrEqual(4_000);
    expect(reader.refused).toBeGreaterThan(0);
  });

  it("C-46 a cut file ends at a whole line", async () => {
    const source = await createReader(limits).read(root(), "big.py", signal);
    expect(source?.text.endsWith("abcdefghi\n")).toBe(true);
    expect(source?.text.length).toBeLessThanOrEqual(5_000);
  });

  it.each([".env", "id_rsa", ".ssh/config", "binary.py", "link.py", "folder.py", "missing.py", "../secret.py"])(
    "C-39 C-27 C-46 %s is not read",
    async (path) => {
      expect(await createReader(limits).read(root(), path, signal)).toBeUndefined();
    },
  );
});
