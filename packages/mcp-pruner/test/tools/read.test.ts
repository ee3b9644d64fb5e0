// `read` on files as they come: every way in which a path can be wrong, and what is exact and what is not.
import { execFileSync } from "node:child_process";
import { appendFile, chmod, mkdir, open, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTempDir, type Server, startServer, type Wire } from "../server-under-test.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer({ env: { MCP_PRUNER_DENY: "secrets/**,*.pem" } });
});
afterAll(() => server.stop());

const at = (name: string) => join(server.root, name);
const read = (args: Record<string, unknown>): Promise<Wire> => server.call("read", args);
const errorOf = async (args: Record<string, unknown>): Promise<Wire> => {
  const result = await read(args);
  expect(result.isError).toBe(true);
  return result.structuredContent.error;
};

it("J-29 J-53 a file comes back with all of its fields and nothing else", async () => {
  await writeFile(at("hello.txt"), "hello\nwörld\n");
  const result = await read({ file_path: "hello.txt" });
  expect(result.content).toEqual([{ type: "text", text: "hello\nwörld\n" }]);
  expect(result.structuredContent).toEqual({
    tool: "read",
    file_path: "hello.txt",
    encoding: "utf-8",
    content: "hello\nwörld\n",
    truncated: false,
    bytes: 13,
    duration_ms: expect.any(Number),
    pruning: { attempted: false, applied: false, fallback: false, reason: "no_focus_question", raw_bytes: 13 },
  });
});

it("J-27 X-49 an absolute path inside the root is read, and echoed as it was sent", async () => {
  await writeFile(at("abs.txt"), "x");
  expect((await read({ file_path: at("abs.txt") })).structuredContent).toMatchObject({
    file_path: at("abs.txt"),
    content: "x",
  });
});

it("J-27 J-32 J-39 a root that was named by a symlink may be named by it in every tool", async () => {
  const dir = await makeTempDir();
  const link = join(dir.path, "link");
  await writeFile(at("linked.txt"), "found me");
  await symlink(server.root, link);
  const linked = await startServer({ root: link });
  const content = async (tool: string, args: Record<string, unknown>) =>
    (await linked.call(tool, args)).content?.[0].text;
  expect(await content("read", { file_path: join(link, "linked.txt") })).toBe("found me");
  expect(await content("bash", { command: "cat linked.txt", cwd: link })).toBe("found me");
  expect(await content("grep", { pattern: "found", path: join(link, "linked.txt") })).toBe("linked.txt:1:1:found me");
  expect(await linked.call("read", { file_path: join(link, "../x") })).toMatchObject({ error: { code: -32602 } });
  await linked.stop();
  await dir.remove();
});

it("X-02 start_line and end_line give exactly those lines", async () => {
  await writeFile(at("lines.txt"), "1\r\n2\r\n3\r\n4");
  const content = async (args: Record<string, unknown>) =>
    (await read({ file_path: "lines.txt", ...args })).structuredContent.content;
  expect(await content({ start_line: 2, end_line: 3 })).toBe("2\r\n3\r\n");
  expect(await content({ start_line: 4 })).toBe("4");
  expect(await content({ end_line: 1 })).toBe("1\r\n");
  expect(await content({ start_line: 99 })).toBe("");
});

it("X-19 lines past the end are nothing, and a second item says how many there are", async () => {
  await writeFile(at("short.txt"), "1\n2\n3");
  const result = await read({ file_path: "short.txt", start_line: 4 });
  expect(result.content.map((item: Wire) => item.text)).toEqual(["", "[no such lines: the file has 3]"]);
  expect((await read({ file_path: "short.txt", start_line: 3 })).content).toHaveLength(1);
});

describe("J-26 max_output_bytes", () => {
  it("cuts before a code point that would be split", async () => {
    await writeFile(at("emoji.txt"), `${"a".repeat(1022)}😀😀`);
    const { structuredContent } = await read({ file_path: "emoji.txt", max_output_bytes: 1024 });
    expect(structuredContent).toMatchObject({ truncated: true, bytes: 1022, content: "a".repeat(1022) });
  });

  it("X-18 X-19 an item of its own says where it was cut, and where to read on", async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `row ${index + 1} of 300`);
    await writeFile(at("rows.txt"), rows.join("\n"));
    const { content } = await read({ file_path: "rows.txt", start_line: 11, max_output_bytes: 1024 });
    const [, line = ""] =
      /^\[cut off after 1024 bytes, in line (\d+): start_line \1 reads on\]$/.exec(content[1].text) ?? [];
    const last = content[0].text.split("\n").at(-1);
    expect(last).not.toBe("");
    expect(rows[Number(line) - 1]?.startsWith(last)).toBe(true);
  });

  it("reads a 2 GB file without reading all of it", async () => {
    await writeFile(at("sparse.txt"), "x".repeat(10_000));
    const handle = await open(at("sparse.txt"), "r+");
    await handle.truncate(2 * 1024 ** 3);
    await handle.close();
    const { structuredContent } = await read({ file_path: "sparse.txt", max_output_bytes: 2048 });
    expect(structuredContent).toMatchObject({ truncated: true, bytes: 2048 });
    await rm(at("sparse.txt"));
  });
});

describe("J-27 J-30 X-05 what is no regular file inside the root", () => {
  it("is not_found where there is nothing", async () => {
    const result = await read({ file_path: "absent.txt" });
    expect(result.structuredContent).toEqual({
      tool: "read",
      error: { code: "not_found", message: expect.stringContaining("absent.txt") },
      pruning: { attempted: false, applied: false, fallback: false, reason: "no_focus_question", raw_bytes: 0 },
    });
    expect(result.content[0].text).toContain("absent.txt");
  });

  it("X-08 asked with a question it is output_empty", async () => {
    const result = await read({ file_path: "absent.txt", context_focus_question: "q" });
    expect(result.structuredContent.pruning).toMatchObject({ attempted: false, reason: "output_empty", raw_bytes: 0 });
  });

  it("is invalid_path for a directory, a FIFO, a socket and a device behind a link", async () => {
    await mkdir(at("dir"), { recursive: true });
    execFileSync("mkfifo", [at("fifo")]);
    const socket = createServer().listen(at("sock"));
    await new Promise((resolve) => socket.once("listening", resolve));
    for (const name of ["dir", "fifo", "sock", "."])
      expect((await errorOf({ file_path: name })).code).toBe("invalid_path");
    socket.close();
  });

  it("is invalid_path for a symlink out of the root, and for a loop", async () => {
    const outside = await makeTempDir();
    await writeFile(join(outside.path, "secret"), "secret");
    await symlink(join(outside.path, "secret"), at("out"));
    await symlink(outside.path, at("outdir"));
    await symlink(at("loop2"), at("loop1"));
    await symlink(at("loop1"), at("loop2"));
    for (const name of ["out", "outdir/secret", "loop1"]) {
      const error = await errorOf({ file_path: name });
      expect(error.code).toBe("invalid_path");
      expect(error.message).not.toContain("secret of the outside");
    }
    await outside.remove();
  });

  it("a symlink inside the root is followed", async () => {
    await writeFile(at("target.txt"), "t");
    await symlink(at("target.txt"), at("inside"));
    expect((await read({ file_path: "inside" })).structuredContent.content).toBe("t");
  });

  it("X-02 MCP_PRUNER_DENY is permission_denied", async () => {
    await mkdir(at("secrets"), { recursive: true });
    await writeFile(at("secrets/key"), "k");
    await writeFile(at("a.pem"), "k");
    for (const name of ["secrets/key", "a.pem"])
      expect((await errorOf({ file_path: name })).code).toBe("permission_denied");
  });

  it("EACCES is permission_denied", async () => {
    await chmod(server.root, 0o755);
    const other = await startServer({ root: server.root, unprivileged: true });
    await writeFile(at("closed"), "x");
    await chmod(at("closed"), 0);
    const result = await other.call("read", { file_path: "closed" });
    expect(result.structuredContent.error.code).toBe("permission_denied");
    await other.stop();
  });
});

describe("J-30 bytes that are no text", () => {
  it("a NUL in the first 8 KiB is io_error with the size", async () => {
    await writeFile(at("bin"), Buffer.from([1, 2, 0, 3, 4]));
    expect(await errorOf({ file_path: "bin" })).toEqual({
      code: "io_error",
      message: expect.stringContaining("binary file, 5 bytes"),
    });
  });

  it("a NUL further on is text", async () => {
    await writeFile(at("late-nul"), `${"a".repeat(9_000)}\0b`);
    expect((await read({ file_path: "late-nul" })).structuredContent.content).toContain("\0b");
  });

  it("invalid UTF-8 is decoded with U+FFFD and never pruned", async () => {
    await writeFile(at("latin1"), Buffer.from(`${"caf\xe9 au lait, one line of many\n".repeat(900)}`, "latin1"));
    const { structuredContent } = await read({ file_path: "latin1", context_focus_question: "what about milk?" });
    expect(structuredContent.content.startsWith("caf\uFFFD au lait")).toBe(true);
    expect(structuredContent.pruning).toMatchObject({ attempted: false, applied: false, reason: "never_pruned" });
  });

  it("a byte order mark and an empty file come back as they are", async () => {
    await writeFile(at("bom"), "\uFEFFx");
    await writeFile(at("empty"), "");
    expect((await read({ file_path: "bom" })).structuredContent.content).toBe("\uFEFFx");
    expect((await read({ file_path: "empty", context_focus_question: "q" })).structuredContent).toMatchObject({
      content: "",
      bytes: 0,
      pruning: { reason: "output_empty" },
    });
  });
});

it("a file that grows, shrinks or vanishes while it is read gives text or a named error", async () => {
  await writeFile(at("moving"), "line\n".repeat(100_000));
  const calls = Array.from({ length: 20 }, () => read({ file_path: "moving" }));
  await appendFile(at("moving"), "more\n".repeat(1_000));
  await truncate(at("moving"), 1_000);
  await rm(at("moving"));
  for (const result of await Promise.all(calls)) {
    if (result.isError === true) expect(["not_found", "io_error"]).toContain(result.structuredContent.error.code);
    else expect(result.structuredContent.content).toMatch(/^(?:line\n|more\n)*(?:l|li|lin|line|m|mo|mor|more)?$/);
  }
});
