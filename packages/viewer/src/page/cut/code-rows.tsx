// A text as the agent saw it: kept lines with their numbers and the reason for each, and a bar in place of every block
// that was left out, which unfolds it. The caller provides the lines.
import { useCallback, useMemo, useState } from "preact/hooks";
import type { CutBlock, WhyRun } from "../../wire.ts";
import { plural } from "../format.ts";
import { useKeys } from "../use-keys.ts";
import { VirtualList } from "../virtual-list.tsx";
import { createFoldModel } from "./fold-model.ts";
import { Minimap } from "./minimap.tsx";
import { useColours } from "./use-colours.tsx";
import { WHYS, whyCodes } from "./why.ts";

const ROW_PX = 20;
const LONGEST_BAR_PX = 200;
const MAX_WIDTH_CHARS = 4_100;

interface CodeRowsProps {
  readonly lineCount: number;
  readonly blocks: readonly CutBlock[];
  readonly why: readonly WhyRun[];
  /** The text of a line (1-based); undefined while it is being loaded. */
  readonly lineAt: (line: number) => string | undefined;
  readonly onShow?: (first: number, last: number) => void;
  readonly isRecovered?: (line: number) => boolean;
  readonly label: string;
  /** A file name, from which the language for the colours is guessed. */
  readonly path?: string | undefined;
}

/**
 * A scrollable text with folded blocks and a minimap, with keys to move and unfold. `onShow` is called with each range of
 * lines that comes into view, so that the caller can load them; lines it does not have yet are shown blank.
 */
export function CodeRows(props: CodeRowsProps) {
  const { lineCount, blocks, why, lineAt, onShow, isRecovered } = props;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [active, setActive] = useState(-1);
  const model = useMemo(() => createFoldModel({ lineCount, blocks, open }), [lineCount, blocks, open]);
  const codes = useMemo(() => whyCodes(why, lineCount), [why, lineCount]);
  const longest = useMemo(() => Math.max(1, ...blocks.map(({ from, to }) => to - from + 1)), [blocks]);
  const [widest, setWidest] = useState(80);
  const colour = useColours(props.path);

  const toggle = (block: number) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(block)) next.add(block);
      return next;
    });
    setActive(model.rowOfBlock(block));
  };
  const move = (by: number) => setActive((at) => Math.max(0, Math.min(model.rowCount - 1, at + by)));
  const toBlock = (by: 1 | -1) => {
    const rows = blocks.map((_, block) => model.rowOfBlock(block));
    const next = by === 1 ? rows.find((row) => row > active) : rows.findLast((row) => row < active);
    if (next !== undefined) setActive(next);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    n: () => toBlock(1),
    p: () => toBlock(-1),
    o: () => setOpen(open.size > 0 ? new Set() : new Set(blocks.map((_, block) => block))),
    Enter: () => {
      const row = model.rowAt(active);
      return row?.kind === "bar" ? toggle(row.block) : false;
    },
  });

  const show = useCallback(
    (first: number, last: number) => {
      // The visible rows may be lines from far apart, with folded blocks between them: report each range by itself.
      let [least, most] = [Number.POSITIVE_INFINITY, 0];
      const flush = () => {
        if (most > 0) onShow?.(least, most);
      };
      for (let index = first; index <= last; index++) {
        const row = model.rowAt(index);
        if (row?.kind !== "line") continue;
        if (row.line > most + 1 && most > 0) {
          flush();
          least = row.line;
        }
        least = Math.min(least, row.line);
        most = row.line;
      }
      flush();
    },
    [model, onShow],
  );

  const row = (index: number) => {
    const found = model.rowAt(index);
    if (found === undefined) return null;
    const isActive = index === active ? "active" : "";
    if (found.kind === "bar") {
      const block = blocks[found.block];
      if (block === undefined) return null;
      return (
        <BlockBar
          id={`row-${index}`}
          block={block}
          isOpen={found.isOpen}
          share={(block.to - block.from + 1) / longest}
          className={isActive}
          onToggle={() => toggle(found.block)}
        />
      );
    }
    const text = lineAt(found.line);
    const width = Math.min(MAX_WIDTH_CHARS, text?.length ?? 0);
    if (width > widest) queueMicrotask(() => setWidest((before) => Math.max(before, width)));
    const kind = WHYS[(codes[found.line] ?? 0) - 1];
    const cameBack = isRecovered?.(found.line) === true;
    return (
      <div
        id={`row-${index}`}
        class={`code-line ${isActive} ${found.isDropped ? "dropped" : ""} why-${found.isDropped ? "none" : (kind?.name ?? "none")}`}
      >
        <span
          class="code-why"
          title={found.isDropped ? "left out" : kind === undefined ? "" : `${kind.name}: ${kind.about}`}
        >
          {cameBack ? "↩" : found.isDropped ? "" : (kind?.sign ?? "")}
        </span>
        <span class="code-number num">{found.line}</span>
        <code class="code-text">{text === undefined ? " " : colour(text)}</code>
      </div>
    );
  };

  return (
    <div class="code">
      <VirtualList
        className="code-rows"
        role="group"
        label={props.label}
        total={model.rowCount}
        rowHeight={ROW_PX}
        active={active}
        idOf={(index) => `row-${index}`}
        onShow={show}
        minWidth={`calc(${widest}ch + 100px)`}
        row={row}
      />
      <Minimap
        lineCount={lineCount}
        codes={codes}
        blocks={blocks}
        onPick={(line) => setActive(model.rowOfLine(line))}
      />
    </div>
  );
}

function BlockBar({
  id,
  block,
  isOpen,
  share,
  className,
  onToggle,
}: {
  readonly id: string;
  readonly block: CutBlock;
  readonly isOpen: boolean;
  /** The block's length as a share of the longest block's; the bar is drawn in proportion. */
  readonly share: number;
  readonly className: string;
  readonly onToggle: () => void;
}) {
  const lines = block.to - block.from + 1;
  return (
    <button id={id} type="button" class={`block-bar ${className}`} aria-expanded={isOpen} onClick={onToggle}>
      <span class="block-sign" aria-hidden="true">
        {isOpen ? "▾" : "▸"}
      </span>
      <span class="block-row">
        <span class="block-length" aria-hidden="true" style={{ width: `${(share * LONGEST_BAR_PX).toFixed(1)}px` }} />
        <span class="block-words">
          <span class="num">
            {plural(lines, "line")} {block.from}–{block.to}
          </span>
          {block.label ? <span class="block-label">{block.label}</span> : null}
        </span>
      </span>
    </button>
  );
}
