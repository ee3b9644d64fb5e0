// Finds the shape of a text, if it has one. Failures are found by content in any shape.
import type { SourceKind } from "../outline/extensions.ts";
import { jsonShape } from "./json/json-shape.ts";
import { packedShape } from "./packed/packed-shape.ts";
import { pageShape } from "./page/page-shape.ts";
import type { Shape, ShapeInput } from "./shape.ts";
import { tableShape } from "./table/table-shape.ts";

const JSON_START = /^\ufeff?\s*(?:[[{]|\/[/*])/;
const LOOK_CHARS = 2_000;

/** The shape of JSON that is one tree; undefined for other texts, and for records on lines of their own. */
export function findJson(input: ShapeInput): Shape | undefined {
  return JSON_START.test(input.table.text.slice(0, LOOK_CHARS)) ? jsonShape(input) : undefined;
}

/** A log of more lines is read by its lines, however long they are. */
const PACKED_LOG_LINES = 3;

/** The shape of any other text of this kind. */
export function findShape(input: ShapeInput, kind: SourceKind, path: string | undefined): Shape | undefined {
  if (kind === "matches") return undefined;
  const shape = pageShape(input, kind, path) ?? tableShape(input, kind, path);
  if (shape !== undefined || (kind === "logs" && input.table.count > PACKED_LOG_LINES)) return shape;
  return packedShape(input);
}
