// The page's icons, as inline SVG so that nothing is fetched for them.
import type { ViewName } from "../router.ts";

/** The Jeeves logo. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path d="M3 8.600c0-1.500 1.600-2.400 2.900-1.700L14 11.500h4l8.100-4.600c1.300-.7 2.900.2 2.900 1.700v14.800c0 1.500-1.600 2.400-2.900 1.700L18 20.500h-4l-8.100 4.600C4.600 25.800 3 24.900 3 23.400z" />
    </svg>
  );
}

const PATHS: Readonly<Record<ViewName, string>> = {
  home: "M2 8l6-5 6 5M4 7v6h8V7",
  runs: "M2 4h12M2 8h8M2 12h10",
  savings: "M2 14V9m4 5V5m4 9V8m4 6V3",
  try: "M3 13l1-4 7-7 3 3-7 7zM10 3l3 3",
  haven: "M2 3h3.500v10H2zM6.300 3h3.500v6H6.300zM10.600 3H14v8h-3.400z",
};

/** The icon of a view in the navigation. */
export function ViewIcon({ view }: { readonly view: ViewName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[view]} />
    </svg>
  );
}
