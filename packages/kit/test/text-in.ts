// What a stream holds that nobody has read yet: one read may give a part of it only.
import type { Readable } from "node:stream";

export function textIn(stream: Readable): string {
  let text = "";
  for (let part: unknown = stream.read(); part !== null; part = stream.read()) text += String(part);
  return text;
}
