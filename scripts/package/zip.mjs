// A folder as a zip file, which is what a bundle of a desktop client is. The same folder gives the same bytes: names in
// order, and one date for all.
import { readFileSync, statSync } from "node:fs";
import { relative, sep } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { filesUnder } from "../setup.mjs";

const VERSION = 20;
const MADE_ON_UNIX = 3 << 8;
const UTF8_NAMES = 1 << 11;
const DEFLATED = 8;
/** 1 January 1980, the first day that a zip file can name. */
const DATE = (1 << 5) | 1;

/** The bytes of the zip file. */
export function zipFolder(dir) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const file of filesUnder(dir)) {
    const name = Buffer.from(relative(dir, file).split(sep).join("/"));
    const content = readFileSync(file);
    const packed = deflateRawSync(content, { level: 9 });
    const common = numbers([
      [2, VERSION],
      [2, UTF8_NAMES],
      [2, DEFLATED],
      [2, 0],
      [2, DATE],
      [4, crc32(content)],
      [4, packed.length],
      [4, content.length],
      [2, name.length],
      [2, 0],
    ]);
    const mode = statSync(file).mode * 0x10000;
    const place = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, mode],
      [4, offset],
    ];
    directory.push(Buffer.from("PK\x01\x02"), numbers([[2, VERSION | MADE_ON_UNIX]]), common, numbers(place), name);
    parts.push(Buffer.from("PK\x03\x04"), common, name, packed);
    offset += 4 + common.length + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const count = directory.length / 5;
  const end = [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, list.length],
    [4, offset],
    [2, 0],
  ];
  return Buffer.concat([...parts, list, Buffer.from("PK\x05\x06"), numbers(end)]);
}

/** Pairs of a width in bytes and a number, little end first. */
function numbers(pairs) {
  return Buffer.concat(
    pairs.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      buffer.writeUIntLE(value >>> 0, 0, bytes);
      return buffer;
    }),
  );
}
