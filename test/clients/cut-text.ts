// Reads a cut text back against the whole: every line that is there must be the original's, every line that is not must
// be named by a marker, and nothing may be missing, doubled or out of order. Knows nothing of how a cut is made.

export interface Block {
  readonly startLine: number;
  readonly endLine: number;
}

const MARKER = /^⟦… (\d+) lines? (\d+)(?:-(\d+))?(?: .*)?⟧$/;

export function parseMarker(line: string): Block | undefined {
  const [, count, start, end = start] = MARKER.exec(line) ?? [];
  if (count === undefined) return undefined;
  const block = { startLine: Number(start), endLine: Number(end) };
  if (block.endLine - block.startLine + 1 !== Number(count)) throw new Error(`a marker that miscounts: ${line}`);
  return block;
}

/** The blocks that `shown` leaves out of `rawLines`; throws where the two do not fit together. */
export function blocksOf(shown: readonly string[], rawLines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let next = 1;
  for (const line of shown) {
    const block = parseMarker(line);
    if (block === undefined) {
      const original = rawLines[next - 1];
      if (line !== original)
        throw new Error(`line ${next} is ${JSON.stringify(original)}, shown as ${JSON.stringify(line)}`);
      next += 1;
    } else {
      if (block.startLine !== next) throw new Error(`line ${next} is neither shown nor named before ${line}`);
      blocks.push(block);
      next = block.endLine + 1;
    }
  }
  if (next !== rawLines.length + 1) throw new Error(`the text ends at line ${next - 1} of ${rawLines.length}`);
  return blocks;
}
