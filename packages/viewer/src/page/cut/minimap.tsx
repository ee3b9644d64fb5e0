// The whole text in small, in its true proportions: what was kept and why, and what was left out.
import { useMemo } from "preact/hooks";
import type { CutBlock } from "../../wire.ts";
import { WHYS } from "./why.ts";

const SLOTS = 300;
const DROPPED = 255;

interface MinimapProps {
  readonly lineCount: number;
  readonly codes: Uint8Array;
  readonly blocks: readonly CutBlock[];
  readonly onPick: (line: number) => void;
}

/** At most 300 bands beside the text. A click calls `onPick` with the line at that height. */
export function Minimap({ lineCount, codes, blocks, onPick }: MinimapProps) {
  const bands = useMemo(() => bandsOf(lineCount, codes, blocks), [lineCount, codes, blocks]);
  const slots = Math.min(SLOTS, lineCount);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a shortcut for the mouse; every line is reached by keys in the list
    <svg
      class="minimap"
      viewBox={`0 0 10 ${slots}`}
      preserveAspectRatio="none"
      role="img"
      aria-label="The whole text: kept lines are coloured, the rest was left out"
      onClick={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        onPick(Math.min(lineCount, 1 + Math.floor(((event.clientY - top) / height) * lineCount)));
      }}
    >
      {bands.map(({ from, to, name }) => (
        <rect key={from} class={`band-${name}`} x={0} width={10} y={from} height={to - from + 1} />
      ))}
    </svg>
  );
}

function bandsOf(lineCount: number, codes: Uint8Array, blocks: readonly CutBlock[]) {
  const slots = Math.min(SLOTS, lineCount);
  const best = new Uint8Array(slots).fill(DROPPED);
  const dropped = new Uint8Array(lineCount + 1);
  for (const { from, to } of blocks) dropped.fill(1, from, to + 1);
  for (let line = 1; line <= lineCount; line++) {
    if (dropped[line] === 1) continue;
    const slot = Math.min(slots - 1, Math.floor(((line - 1) / lineCount) * slots));
    // A kept line without a reason has the lowest weight.
    const code = codes[line] || WHYS.length + 1;
    best[slot] = Math.min(best[slot] ?? DROPPED, code);
  }
  const bands: { from: number; to: number; name: string }[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const code = best[slot] ?? DROPPED;
    const name = code === DROPPED ? "dropped" : (WHYS[code - 1]?.name ?? "kept");
    const last = bands.at(-1);
    if (last?.name === name) last.to = slot;
    else bands.push({ from: slot, to: slot, name });
  }
  return bands;
}
