// Savings: the bill of a period by part, and what the cuts saved or cost; the figures of `jeeves stats`, in tokens and in
// dollars.
import { useState } from "preact/hooks";
import type { Savings } from "../../wire.ts";
import { compact, dollars, grouped, plural } from "../format.ts";
import { Empty, Loading, Shell, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive } from "../use-data.ts";
import { BillTable, FillingTable, LostTable } from "./bill-table.tsx";
import { BillChart, NetChart } from "./charts.tsx";
import { lossReason } from "./loss-reason.ts";
import { PartsTable } from "./parts-table.tsx";

const RANGES = [
  { name: "24 hours", ms: 86_400_000 },
  { name: "7 days", ms: 604_800_000 },
  { name: "30 days", ms: 2_592_000_000 },
  { name: "All", ms: 0 },
] as const;
/** 30 days, the default of `jeeves stats`. */
const DEFAULT_RANGE = 2;
const DEFAULT_USD = 3;

/** The view "Savings", for a period and a price that the user chooses. */
export function SavingsPage() {
  const version = useLive("savings");
  const [range, setRange] = useState(DEFAULT_RANGE);
  const [usd, setUsd] = useState(DEFAULT_USD);
  const { value, error } = useFetched<Savings>("/api/savings", { last: RANGES[range]?.ms }, version);
  if (error !== undefined && value === undefined) return <Trouble error={error} />;
  if (value === undefined) return <Loading />;
  const isEmpty = value.sessions === 0;
  return (
    <div class="savings scroll">
      <div class="pane-head">
        <h1>Savings</h1>
        <fieldset class="segmented">
          <legend class="sr">Since when</legend>
          {RANGES.map(({ name }, i) => (
            <button key={name} type="button" aria-pressed={i === range} onClick={() => setRange(i)}>
              {name}
            </button>
          ))}
        </fieldset>
        <label class="price">
          $ per million input tokens
          <input
            type="number"
            min="0"
            step="0.25"
            value={usd}
            onInput={(event) => setUsd(Math.max(0, event.currentTarget.valueAsNumber || 0))}
          />
        </label>
      </div>
      {isEmpty && range >= DEFAULT_RANGE ? <NoSavings /> : null}
      {isEmpty ? null : <Figures savings={value} usd={usd} />}
      {isEmpty && range < DEFAULT_RANGE ? <p class="hint">No session in this time.</p> : null}
      {value.notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </div>
  );
}

function Figures({ savings, usd }: { readonly savings: Savings; readonly usd: number }) {
  return (
    <>
      <p class="headline">{savings.line}</p>
      <Sums savings={savings} usd={usd} />
      {savings.points.length > 0 ? (
        <div class="charts">
          <figure>
            <figcaption>The bill over time, in input tokens</figcaption>
            <BillChart savings={savings} />
          </figure>
          <figure>
            <figcaption>Net, added up</figcaption>
            <NetChart savings={savings} />
          </figure>
        </div>
      ) : null}
      <div class="parts">
        {savings.isKnown ? <BillTable savings={savings} /> : null}
        <FillingTable savings={savings} />
        <LostTable savings={savings} />
        <PartsTable title="By tool" parts={savings.tools} usd={usd} />
        <PartsTable title="By project" parts={savings.projects} usd={usd} isPath />
        <PartsTable title="By client" parts={savings.clients} usd={usd} />
      </div>
    </>
  );
}

function Sums({ savings, usd }: { readonly savings: Savings; readonly usd: number }) {
  const { total, isKnown, predicted, actual, riskCuts } = savings;
  const isLoss = total.net < 0;
  return (
    <section class="sums" aria-label="Sums">
      <div class={`sum-net ${isLoss ? "loss" : "gain"}`}>
        <h2>Net</h2>
        <p class="sum-figure num">{dollars((total.net / 1_000_000) * usd)}</p>
        <p class="num">
          {total.net > 0 ? "+" : ""}
          {grouped(total.net)} plain input tokens
        </p>
        <p class="quiet-text">
          {isLoss
            ? lossReason(total)
            : isKnown
              ? "At the prices that your sessions really paid, from their transcripts; what came back, and our own tools, are taken off."
              : "No transcript tells the prices: each token left out counts as 8."}
        </p>
      </div>
      <dl class="figures wide">
        <Sum name="bill" value={total.bill} note={plural(savings.sessions, "session")} />
        <Sum name="saved" value={total.saved} note={plural(total.cuts, "cut")} />
        <Sum name="came back" value={total.back + total.visible} note={plural(total.asked, "time")} />
        <Sum name="own tools" value={total.surface} note="in every prompt" />
        {riskCuts > 0 ? (
          <Sum
            name="asked again"
            value={actual}
            unit="cuts"
            note={`${predicted.toFixed(1)} predicted of ${grouped(riskCuts)}`}
          />
        ) : null}
        {total.shadowCuts > 0 ? (
          <Sum name="in shadow" value={total.shadowNet} note={`net of ${plural(total.shadowCuts, "cut")} not made`} />
        ) : null}
      </dl>
    </section>
  );
}

function Sum({
  name,
  value,
  note,
  unit = "tok",
}: {
  readonly name: string;
  readonly value: number;
  readonly note: string;
  readonly unit?: string;
}) {
  return (
    <div class={`sum of-${name.replace(" ", "-")}`}>
      <dt>{name}</dt>
      <dd class="num">
        {compact(value)} <small>{unit}</small>
        <span class="sum-note">{note}</span>
      </dd>
    </div>
  );
}

function NoSavings() {
  return (
    <Empty title="Nothing was cut yet">
      <p>Every cut, every recovery and our own cost is counted here, from the first one on.</p>
      <p>Connect a client:</p>
      <Shell>jeeves init claude-code</Shell>
      <p>Or count first, and cut nothing:</p>
      <Shell>jeeves init claude-code --shadow</Shell>
    </Empty>
  );
}
