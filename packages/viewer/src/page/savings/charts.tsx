// The two charts, drawn by uPlot, which is loaded when the first of them is shown. Colours are read from the style sheet,
// which has those for light and dark.
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import type { Savings } from "../../wire.ts";
import { compact } from "../format.ts";
import { slotRange } from "./slot-range.ts";

type Options = Omit<uPlot.Options, "width" | "height">;

/** The bill over time, with what the cuts saved and what came back. */
export function BillChart({ savings }: { readonly savings: Savings }) {
  const { points } = savings;
  const of = (name: "bill" | "saved" | "back" | "surface") => points.map((point) => point[name]);
  const data: uPlot.AlignedData = [points.map(({ at }) => at), of("bill"), of("saved"), of("back"), of("surface")];
  return (
    <Chart
      key={savings.slotS}
      data={data}
      label={`The bill, what was saved, what came back and our own tools in ${points.length} slots`}
      toOptions={(colour, library) => ({
        series: [
          {},
          bars(library, "bill", colour("--c-raw"), colour("--c-raw-fill")),
          bars(library, "saved", colour("--c-kept"), colour("--c-kept-fill")),
          { label: "came back", stroke: colour("--c-recovered"), width: 2, points: { show: points.length < 40 } },
          { label: "own tools", stroke: colour("--c-overhead"), width: 2, dash: [4, 3], points: { show: false } },
        ],
        scales: { x: { range: slotRange(savings.slotS) } },
        axes: axes(colour),
      })}
    />
  );
}

/** The net, added up. */
export function NetChart({ savings }: { readonly savings: Savings }) {
  let sum = 0;
  const net = savings.points.map((point) => {
    sum += point.net;
    return sum;
  });
  const data: uPlot.AlignedData = [savings.points.map(({ at }) => at), net];
  return (
    <Chart
      key={savings.slotS}
      data={data}
      label={`Net tokens, added up: ${compact(sum)} in the end`}
      toOptions={(colour) => ({
        series: [
          {},
          {
            label: "net",
            width: 2,
            points: { show: net.length < 40 },
            // Zero is where the colour changes: a loss is red, however small.
            stroke: (plot) => splitAtZero(plot, colour("--c-gain"), colour("--c-loss")),
            fill: (plot) => splitAtZero(plot, colour("--c-gain-fill"), colour("--c-loss-fill")),
            fillTo: 0,
          },
        ],
        scales: {
          x: { range: slotRange(savings.slotS) },
          y: { range: (_, low, high) => [Math.min(0, low) * 1.08, Math.max(1, high, 0) * 1.08] },
        },
        axes: axes(colour),
      })}
    />
  );
}

const HEIGHT_PX = 220;

function Chart({
  data,
  label,
  toOptions,
}: {
  readonly data: uPlot.AlignedData;
  readonly label: string;
  readonly toOptions: (colour: (name: string) => string, library: typeof uPlot) => Options;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef({ data, toOptions });
  latest.current = { data, toOptions };

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let isGone = false;
    const draw = async () => {
      const { default: UPlot } = await import("uplot");
      if (isGone) return;
      plot.current?.destroy();
      const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
      const options = latest.current.toOptions(colour, UPlot);
      plot.current = new UPlot(
        {
          legend: { show: false },
          cursor: { y: false },
          padding: [10, 20, 0, 0],
          ...options,
          width: element.clientWidth,
          height: HEIGHT_PX,
        },
        latest.current.data,
        element,
      );
    };
    void draw();
    const resized = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && plot.current?.width !== width) plot.current?.setSize({ width, height: HEIGHT_PX });
    });
    resized.observe(element);
    // A canvas does not follow the style sheet: draw again when the theme changes.
    const themed = new MutationObserver(() => void draw());
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const media = matchMedia("(prefers-color-scheme: dark)");
    const onMedia = () => void draw();
    media.addEventListener("change", onMedia);
    return () => {
      isGone = true;
      resized.disconnect();
      themed.disconnect();
      media.removeEventListener("change", onMedia);
      plot.current?.destroy();
    };
  }, []);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={place} class="chart" role="img" aria-label={label} />;
}

function bars(library: typeof uPlot, label: string, stroke: string, fill: string): uPlot.Series {
  const paths = library.paths.bars?.({ size: [0.72, 28], radius: 0.12 });
  return { label, stroke, fill, width: 1, points: { show: false }, ...(paths === undefined ? {} : { paths }) };
}

function axes(colour: (name: string) => string): uPlot.Axis[] {
  const base = {
    stroke: colour("--ink-2"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  return [
    {
      ...base,
      grid: { show: false },
      space: 64,
      size: 30,
      values({ scales }, times) {
        const isShort = (scales.x?.max ?? 0) - (scales.x?.min ?? 0) < 2 * 86_400;
        return times.map((time) => (isShort ? hourOf(time) : dayOf(time)));
      },
    },
    { ...base, size: 52, values: (_, values) => values.map((value) => compact(value)) },
  ];
}

function dayOf(time: number): string {
  return new Date(time * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

function hourOf(time: number): string {
  return new Date(time * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}

function splitAtZero(plot: uPlot, above: string, below: string): CanvasGradient | string {
  const { top, height } = plot.bbox;
  const zero = plot.valToPos(0, "y", true);
  const at = Math.min(1, Math.max(0, (zero - top) / height));
  if (!Number.isFinite(at)) return above;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, above);
  gradient.addColorStop(at, above);
  gradient.addColorStop(at, below);
  gradient.addColorStop(1, below);
  return gradient;
}
