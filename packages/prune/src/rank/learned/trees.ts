// Boosted trees in flat arrays: parse and evaluate. Integers in, integers added in a fixed order, so that the sum is the same
// on every machine.

/** Trees as train/fit.py writes them; the arrays are base64 of little-endian typed arrays. */
export interface TreeData {
  readonly features: readonly string[];
  readonly root: string;
  readonly feature: string;
  readonly threshold: string;
  readonly left: string;
  readonly right: string;
}

/** Trees that can be evaluated. */
export interface Trees {
  readonly features: readonly string[];
  /** Per line the sum of its leaves, in 1/4096. Columns stand in the order of `features`. */
  sum(columns: readonly Int16Array[], lines: number): Int32Array;
}

const LEAF = 255;
const FEATURES = 256;
const LANES = 4;
/** The low bits of a step say where the values of its feature stand in a row of LANES lines, the others what to compare. */
const VALUE_BITS = 10;
const PLACE = FEATURES * LANES - 1;
const MOST_DEPTH = 8;

interface Nodes {
  readonly root: Uint16Array;
  readonly feature: Uint8Array;
  readonly threshold: Uint16Array;
  readonly left: Uint16Array;
  readonly right: Uint16Array;
}

/** All trees padded to the same depth: a step down is arithmetic, with nothing for a processor to guess wrong. */
interface Padded {
  readonly count: number;
  readonly depth: number;
  /** Per tree 2^depth entries, the root at 1, the children of i at 2i and 2i + 1: threshold - 1 and place. */
  readonly steps: Int32Array;
  /** Per tree 2^depth leaves. */
  readonly leaves: Int32Array;
}

/** Reads trees. Throws where they are malformed or deeper than 8. */
export function parseTrees(data: TreeData): Trees {
  const nodes: Nodes = {
    root: toUint16(data.root),
    feature: toBytes(data.feature),
    threshold: toUint16(data.threshold),
    left: toUint16(data.left),
    right: toUint16(data.right),
  };
  const padded = pad(nodes);
  return { features: data.features, sum: (columns, lines) => sumLeaves(padded, columns, lines) };
}

function pad(nodes: Nodes): Padded {
  const { root, feature, left, right } = nodes;
  const depths = new Uint8Array(feature.length);
  for (let at = feature.length - 1; at >= 0; at--) {
    if (feature[at] === LEAF) continue;
    const [l, r] = [left[at] ?? 0, right[at] ?? 0];
    // Children stand behind their parent, or a walk might never end.
    if (l <= at || r <= at || Math.max(l, r) >= feature.length)
      throw new Error(`trees: node ${at} has no children behind it`);
    depths[at] = Math.min(255, 1 + Math.max(depths[l] ?? 0, depths[r] ?? 0));
  }
  const depth = depths.reduce((a, b) => Math.max(a, b), 1);
  if (depth > MOST_DEPTH) throw new Error(`trees: deeper than ${MOST_DEPTH}`);
  const size = 1 << depth;
  const padded = {
    count: root.length,
    depth,
    steps: new Int32Array(root.length * size),
    leaves: new Int32Array(root.length * size),
  };
  for (let tree = 0; tree < root.length; tree++) place(nodes, padded, tree * size, 1, root[tree] ?? 0);
  return padded;
}

/** Node `at` goes to `slot` of the tree that begins at `base`, and what hangs on it below. */
function place(nodes: Nodes, padded: Padded, base: number, slot: number, at: number): void {
  const size = 1 << padded.depth;
  const isLeaf = nodes.feature[at] === LEAF;
  const value = ((nodes.threshold[at] ?? 0) << 16) >> 16;
  if (slot >= size) {
    padded.leaves[base + slot - size] = value;
    return;
  }
  // A leaf above the bottom stands at both sides of a step that does not matter.
  if (!isLeaf) padded.steps[base + slot] = ((value - 1) << VALUE_BITS) | (LANES * (nodes.feature[at] ?? 0));
  place(nodes, padded, base, 2 * slot, isLeaf ? at : (nodes.left[at] ?? 0));
  place(nodes, padded, base, 2 * slot + 1, isLeaf ? at : (nodes.right[at] ?? 0));
}

/**
 * Four lines go down each tree side by side: their steps do not wait for each other. The sign bit of
 * (threshold - 1 - value) is 1, the right side, from the threshold on.
 */
function sumLeaves({ count, depth, steps, leaves }: Padded, columns: readonly Int16Array[], lines: number): Int32Array {
  const sums = new Int32Array(lines);
  const row = new Int32Array(LANES * FEATURES);
  const size = 1 << depth;
  for (let i = 0; i < lines; i += LANES) {
    for (let f = 0; f < columns.length; f++) {
      const column = columns[f];
      row[LANES * f] = column?.[i] ?? 0;
      row[LANES * f + 1] = column?.[i + 1] ?? 0;
      row[LANES * f + 2] = column?.[i + 2] ?? 0;
      row[LANES * f + 3] = column?.[i + 3] ?? 0;
    }
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let base = 0, end = count * size; base < end; base += size) {
      let p = 1;
      let q = 1;
      let r = 1;
      let s = 1;
      for (let k = 0; k < depth; k++) {
        const atP = steps[base + p] ?? 0;
        const atQ = steps[base + q] ?? 0;
        const atR = steps[base + r] ?? 0;
        const atS = steps[base + s] ?? 0;
        p = 2 * p + (((atP >> VALUE_BITS) - (row[atP & PLACE] ?? 0)) >>> 31);
        q = 2 * q + (((atQ >> VALUE_BITS) - (row[(atQ & PLACE) | 1] ?? 0)) >>> 31);
        r = 2 * r + (((atR >> VALUE_BITS) - (row[(atR & PLACE) | 2] ?? 0)) >>> 31);
        s = 2 * s + (((atS >> VALUE_BITS) - (row[(atS & PLACE) | 3] ?? 0)) >>> 31);
      }
      const leaf = base - size;
      a += leaves[leaf + p] ?? 0;
      b += leaves[leaf + q] ?? 0;
      c += leaves[leaf + r] ?? 0;
      d += leaves[leaf + s] ?? 0;
    }
    sums[i] = a;
    // Beyond the last line these fall off the end of the array.
    sums[i + 1] = b;
    sums[i + 2] = c;
    sums[i + 3] = d;
  }
  return sums;
}

function toBytes(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

function toUint16(base64: string): Uint16Array {
  const bytes = toBytes(base64);
  const view = new DataView(bytes.buffer);
  const out = new Uint16Array(bytes.length >> 1);
  for (let i = 0; i < out.length; i++) out[i] = view.getUint16(2 * i, true);
  return out;
}
