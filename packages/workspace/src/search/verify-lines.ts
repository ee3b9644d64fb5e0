// Every line that an engine found is looked up in its file before it is shown: the engine opened the file by name,
// and may have followed a directory that became a link. A file is opened once, judged by what was opened, and its lines
// are compared byte for byte. What differs is left out and counted.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import type { PathGuard } from "../opened-file.ts";
import type { Root } from "../root.ts";

/** A line as an engine reported it. */
export interface FoundLine {
  /** As the engine named it, relative to the root; bytes where they are not UTF-8. */
  readonly path: string | Buffer;
  readonly shownPath: string;
  /** The line's bytes, without its end. */
  readonly bytes: Buffer;
  readonly line: number;
  /** Where the line begins, in bytes; without it the line is found by its number. */
  readonly offset?: number;
}

/** Compares found lines with their files. It keeps one file open between calls. */
export interface LineVerifier {
  /** True where the file has this line and may be read. Fastest when the lines of a file come together and in order. */
  verify(line: FoundLine): boolean;
  close(): void;
}

const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;
/** Beyond this a UTF-16 file is not decoded a second time. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024;
const BYTE_ORDER_MARKS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** A verifier for one search; the caller must close it. */
export function createLineVerifier(root: Root, guard: PathGuard): LineVerifier {
  let file: { readonly name: string; readonly open: OpenText | undefined } | undefined;

  function close(): void {
    if (file?.open !== undefined) closeSync(file.open.fd);
    file = undefined;
  }

  return {
    close,
    verify(line) {
      const name = line.path.toString("latin1");
      if (file?.name !== name) {
        close();
        file = { name, open: openText(line, { root, guard }) };
      }
      return file.open?.holds(line) ?? false;
    },
  };
}

interface OpenText {
  readonly fd: number;
  holds(line: FoundLine): boolean;
}

function openText(
  { path, shownPath }: FoundLine,
  { root, guard }: { readonly root: Root; readonly guard: PathGuard },
): OpenText | undefined {
  const full =
    typeof path === "string" ? resolve(root.path, path) : Buffer.concat([Buffer.from(`${root.path}/`), path]);
  let fd: number;
  try {
    fd = openSync(full, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (stats.isFile() && guard.refusalOf({ fd, stats, path: full, shownPath }) === undefined)
      return textOf(fd, stats.size);
  } catch {
    // Treated like a file that cannot be read.
  }
  closeSync(fd);
  return undefined;
}

function textOf(fd: number, size: number): OpenText {
  let decoded: Buffer | undefined;
  let encoding: string | undefined;
  let cursor = { line: 1, offset: 0 };

  /** ripgrep removes a byte order mark, and its offsets count in the text decoded to UTF-8. */
  function holdsDecoded({ bytes, offset = 0 }: FoundLine): boolean {
    encoding ??= encodingOf(fd);
    if (encoding === "utf-8") return bytesAt(fd, offset + 3, bytes.length).equals(bytes);
    if (encoding === "" || size > MAX_DECODED_BYTES) return false;
    decoded ??= Buffer.from(new TextDecoder(encoding).decode(bytesAt(fd, 0, size)), "utf8");
    return decoded.subarray(offset, offset + bytes.length).equals(bytes);
  }

  function holdsByNumber({ bytes, line }: FoundLine): boolean {
    if (line < cursor.line) cursor = { line: 1, offset: 0 };
    cursor = seekLine(fd, cursor, line);
    return cursor.line === line && bytesAt(fd, cursor.offset, bytes.length).equals(bytes);
  }

  return {
    fd,
    holds(line) {
      try {
        if (line.offset === undefined) return holdsByNumber(line);
        return bytesAt(fd, line.offset, line.bytes.length).equals(line.bytes) || holdsDecoded(line);
      } catch {
        return false;
      }
    },
  };
}

function encodingOf(fd: number): string {
  const start = bytesAt(fd, 0, 3);
  return BYTE_ORDER_MARKS.find(({ mark }) => mark.every((byte, index) => start[index] === byte))?.encoding ?? "";
}

function bytesAt(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = readSync(fd, buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

interface Cursor {
  readonly line: number;
  readonly offset: number;
}

/** Moves forward to the start of a line, or to the end of the file. */
function seekLine(fd: number, from: Cursor, wanted: number): Cursor {
  let { line, offset } = from;
  while (line < wanted) {
    const chunk = bytesAt(fd, offset, CHUNK_BYTES);
    if (chunk.length === 0) return { line, offset };
    let at = 0;
    while (line < wanted) {
      const end = chunk.indexOf(NEWLINE, at);
      if (end < 0) break;
      at = end + 1;
      line++;
    }
    offset += line < wanted ? chunk.length : at;
  }
  return { line, offset };
}
