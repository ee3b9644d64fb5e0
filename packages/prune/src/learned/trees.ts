// Boosted trees in flat arrays: parse and evaluate. Integers in, integers added in a fixed order: the same sum on every
// machine. It knows nothing of what the features mean.

/** As train/fit.py writes it; the arrays are base64 of little-endian typed arrays. */
export interface TreeData {
  readonly features: readonly string[];
  readonly root: string;
  readonly feature: string;
  readonly threshold: string;
  readonly left: string;
  readonly right: string;
}

export interface Trees {
  readonly features: readonly string[];
  /** Per line the sum of its leaves, in 1/4096. Columns stand in the order of `features`. */
  sum(columns: readonly Int16Array[], lines: number): Int32Array;
}

const LEAF = 255;

export function parseTrees(data: TreeData): Trees {
  const root = toUint16(data.root);
  const feature = toBytes(data.feature);
  const threshold = toUint16(data.threshold);
  const left = toUint16(data.left);
  const right = toUint16(data.right);
  // Four numbers per node, side by side: what one step of the walk reads lies in one place.
  const nodes = new Int32Array(feature.length * 4);
  feature.forEach((f, at) => {
    // Children stand behind their parent, or a walk might never end.
    if (
      f !== LEAF &&
      !((left[at] ?? 0) > at && (right[at] ?? 0) > at && Math.max(left[at] ?? 0, right[at] ?? 0) < feature.length)
    )
      throw new Error(`trees: node ${at} has no children behind it`);
    nodes[4 * at] = f;
    nodes[4 * at + 1] = ((threshold[at] ?? 0) << 16) >> 16;
    nodes[4 * at + 2] = 4 * (left[at] ?? 0);
    nodes[4 * at + 3] = 4 * (right[at] ?? 0);
  });
  const starts = Int32Array.from(root, (at) => 4 * at);
  return { features: data.features, sum: (columns, lines) => sumLeaves({ nodes, starts }, columns, lines) };
}

function sumLeaves(
  { nodes, starts }: { nodes: Int32Array; starts: Int32Array },
  columns: readonly Int16Array[],
  lines: number,
): Int32Array {
  const sums = new Int32Array(lines);
  const row = new Int32Array(256);
  for (let i = 0; i < lines; i++) {
    for (let f = 0; f < columns.length; f++) row[f] = columns[f]?.[i] ?? 0;
    let sum = 0;
    for (let t = 0; t < starts.length; t++) {
      let at = starts[t] ?? 0;
      let f = nodes[at] ?? 0;
      while (f !== LEAF) {
        at = nodes[at + ((row[f] ?? 0) < (nodes[at + 1] ?? 0) ? 2 : 3)] ?? 0;
        f = nodes[at] ?? 0;
      }
      sum += nodes[at + 1] ?? 0;
    }
    sums[i] = sum;
  }
  return sums;
}

function toBytes(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, "base64"));
}

function toUint16(base64: string): Uint16Array {
  const bytes = toBytes(base64);
  const view = new DataView(bytes.buffer);
  return Uint16Array.from({ length: bytes.length >> 1 }, (_, i) => view.getUint16(2 * i, true));
}
