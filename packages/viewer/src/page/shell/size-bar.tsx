// Raw and kept as one bar and two figures: how much was there, how much of it was shown.

import type { Sizes } from "../../wire.ts";
import { amount, share } from "../format.ts";

/** A dash where nothing was read. */
export function SizeBar({ sizes }: { readonly sizes: Sizes }) {
  const { raw, kept, unit } = sizes;
  if (raw === 0) return <span class="sizes none">–</span>;
  const percent = Math.min(100, (kept / raw) * 100);
  return (
    <span class="sizes" title={`${amount(raw, unit)} raw, ${amount(kept, unit)} kept`}>
      <span class="sizes-figures">
        <span class="num">{amount(raw, unit)}</span>
        <span class="arrow" aria-hidden="true">
          →
        </span>
        <span class="sr"> raw, kept </span>
        <strong class="num">{amount(kept, unit)}</strong>
      </span>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${Math.max(1.5, percent)}%` }} />
      </span>
      <span class="num percent">{share(kept, raw)}</span>
    </span>
  );
}
