// A list that renders only the visible rows, all of one height. A list too tall for a browser is scrolled on a shorter
// track: small moves are exact, large ones are scaled.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLatest } from "./use-data.ts";

/** Browsers give up somewhere above 16 million pixels. */
const MAX_TRACK_PX = 8_000_000;
const OVERSCAN = 12;

interface VirtualListProps {
  readonly total: number;
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  readonly label: string;
  readonly role?: "listbox" | "group";
  readonly active?: number | undefined;
  readonly idOf?: (index: number) => string;
  readonly onShow?: (first: number, last: number) => void;
  /** Where the end of the list is in view, it stays in view as rows are added. */
  readonly follow?: boolean;
  /** The width of the widest row, in CSS, for lists that scroll sideways. */
  readonly minWidth?: string;
  readonly className?: string;
}

/**
 * Renders the visible rows and 12 more on each side. `active` is scrolled into view when it changes; `onShow` is called with
 * the indexes of the rendered rows, both inclusive.
 */
export function VirtualList(props: VirtualListProps) {
  const { total, rowHeight, active, onShow, follow = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(600);
  const [top, setTop] = useState(0);
  const lastScroll = useRef(0);
  const atEnd = useRef(true);

  const full = total * rowHeight;
  const track = Math.min(full, MAX_TRACK_PX);
  const maxTop = Math.max(0, full - height);

  const onScroll = useLatest(() => {
    const element = box.current;
    if (element === null) return;
    const { scrollTop, clientHeight } = element;
    const moved = scrollTop - lastScroll.current;
    lastScroll.current = scrollTop;
    const maxScroll = Math.max(1, track - clientHeight);
    let next = scrollTop;
    if (full > track) {
      const isStep = Math.abs(moved) < clientHeight * 2 && scrollTop > 0 && scrollTop < maxScroll;
      next = isStep ? top + moved : (scrollTop / maxScroll) * maxTop;
    }
    next = Math.min(maxTop, Math.max(0, next));
    atEnd.current = next >= maxTop - rowHeight;
    setTop(next);
  });

  const scrollTo = useLatest((px: number) => {
    const element = box.current;
    if (element === null) return;
    const next = Math.min(maxTop, Math.max(0, px));
    const scaled = full > track ? (next / Math.max(1, maxTop)) * (track - height) : next;
    lastScroll.current = Math.round(scaled);
    element.scrollTop = scaled;
    atEnd.current = next >= maxTop - rowHeight;
    setTop(next);
  });

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);

  // Moves only when rows were added
  useLayoutEffect(() => {
    if (follow && atEnd.current) scrollTo(maxTop);
  }, [total, follow, height]);

  // Only a change of `active` scrolls
  useEffect(() => {
    if (active === undefined || active < 0) return;
    const at = active * rowHeight;
    if (at < top) scrollTo(at);
    else if (at + rowHeight > top + height) scrollTo(at + rowHeight - height);
  }, [active]);

  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN);
  const last = Math.min(total - 1, Math.ceil((top + height) / rowHeight) + OVERSCAN);
  useEffect(() => {
    if (last >= first) onShow?.(first, last);
  }, [first, last, onShow]);

  const rows: ComponentChildren[] = [];
  // Where the track is shorter than the list, rows are placed relative to the scroll position.
  const shift = full > track ? lastScroll.current - top : 0;
  for (let index = first; index <= last; index++) {
    rows.push(
      <div
        key={index}
        class="v-row"
        role="presentation"
        style={{ transform: `translateY(${index * rowHeight + shift}px)`, height: `${rowHeight}px` }}
      >
        {props.row(index)}
      </div>,
    );
  }
  const activeId =
    active !== undefined && active >= first && active <= last && props.idOf ? props.idOf(active) : undefined;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it always has a role, and both of them take a label
    <div
      ref={box}
      class={`v-list ${props.className ?? ""}`}
      role={props.role ?? "listbox"}
      aria-label={props.label}
      aria-activedescendant={activeId}
      tabIndex={0}
      onScroll={onScroll}
    >
      <div class="v-track" role="presentation" style={{ height: `${track}px`, minWidth: props.minWidth ?? "auto" }}>
        {rows}
      </div>
    </div>
  );
}
