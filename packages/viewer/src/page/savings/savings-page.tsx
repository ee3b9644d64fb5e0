// Savings: what was read, what of it was kept, what was asked for again and what we cost ourselves; net of all that, in
// tokens and in money. A loss is shown as a loss.
import { useState } from "preact/hooks";
import type { Savings } from "../../wire.ts";
import { compact, dollars, grouped, plural, share } from "../format.ts";
import { Empty, Loading, Shell, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive } from "../use-data.ts";
import { NetChart, TokensChart } from "./charts.tsx";
import { PartsTable } from "./parts-table.tsx";

const RANGES = [
  { name: "24 hours", ms: 86_400_000 },
  { name: "7 days", ms: 604_800_000 },
  { name: "30 days", ms: 2_592_000_000 },
  { name: "All", ms: 0 },
] as const;
const DEFAULT_USD = 3;

export function SavingsPage() {
  const version = useLive("savings");
  const [range, setRange] = useState(3);
  const [usd, setUsd] = useState(DEFAULT_USD);
  const { value, error } = useFetched<Savings>("/api/savings", { last: RANGES[range]?.ms }, version);
  if (error !== undefined && value === undefined) return <Trouble error={error} />;
  if (value === undefined) return <Loading />;
  const { total } = value;
  const isQuiet = total.cuts + total.shadowCuts + total.recoveries === 0;
  if (isQuiet && range === 3) return <NoSavings />;
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
      <Sums savings={value} usd={usd} />
      {isQuiet ? <p class="hint">Nothing was cut in this time.</p> : null}
      {value.points.length > 0 ? (
        <div class="charts">
          <figure>
            <figcaption>Tokens over time</figcaption>
            <TokensChart savings={value} />
          </figure>
          <figure>
            <figcaption>Net, added up</figcaption>
            <NetChart savings={value} />
          </figure>
        </div>
      ) : null}
      <div class="parts">
        <PartsTable title="By tool" parts={value.tools} usd={usd} />
        <PartsTable title="By project" parts={value.projects} usd={usd} isPath />
        <PartsTable title="By client" parts={value.clients} usd={usd} />
      </div>
    </div>
  );
}

function Sums({ savings, usd }: { readonly savings: Savings; readonly usd: number }) {
  const { total, prices } = savings;
  const perToken = prices.perToken ?? 0;
  const isLoss = total.net < 0;
  return (
    <section class="sums" aria-label="Sums">
      <div class={`sum-net ${isLoss ? "loss" : "gain"}`}>
        <h2>Net</h2>
        <p class="sum-figure num">{dollars((total.net / 1_000_000) * usd)}</p>
        <p class="num">
          {total.net > 0 ? "+" : ""}
          {grouped(total.net)} input tokens at cache rates
        </p>
        <p class="quiet-text">
          {isLoss
            ? "A loss: what was asked for again cost more than what was left out. jeeves shadow counts without cutting."
            : `A token left out is worth ${perToken.toFixed(2)} over its turns; what was asked for again, and our own surface, are taken off.`}
        </p>
      </div>
      <dl class="figures wide">
        <Sum name="raw" value={total.raw} note={plural(total.cuts, "cut")} />
        <Sum name="kept" value={total.kept} note={share(total.kept, total.raw)} />
        <Sum name="recovered" value={total.recovered} note={plural(total.recoveries + total.askedAgain, "time")} />
        <Sum name="overhead" value={total.overhead} note="our own surface" />
        {total.shadowCuts > 0 ? (
          <Sum
            name="in shadow"
            value={total.shadowSaved}
            note={`would be saved in ${plural(total.shadowCuts, "cut")}`}
          />
        ) : null}
      </dl>
    </section>
  );
}

function Sum({ name, value, note }: { readonly name: string; readonly value: number; readonly note: string }) {
  return (
    <div class={`sum of-${name.replace(" ", "-")}`}>
      <dt>{name}</dt>
      <dd class="num">
        {compact(value)} <small>tok</small>
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
