// The style of the page that `jeeves look --html` writes.

/** CSS for a style element: light and dark, and one column on narrow screens. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d7dae0, #3a3f4b); --soft: light-dark(#f5f6f8, #1d2026); --mark: light-dark(#e3efff, #14304f); }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#fff, #14161a); color: light-dark(#1a1d23, #e4e7ec); }
main { max-width: 100rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
h3 { font-size: .85rem; margin: .5rem 0 .25rem; font-weight: 600; }
.sum { font-size: 1.1rem; }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: .4rem .75rem; }
summary { cursor: pointer; overflow-wrap: anywhere; font: 600 .85rem/1.5 ui-monospace, monospace; }
summary i { font: .85rem system-ui, sans-serif; opacity: .8; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.sides > div { min-width: 0; }
pre { margin: 0; padding: .75rem; max-height: 32rem; overflow: auto; background: var(--soft); border-radius: 4px; font: .8rem/1.45 ui-monospace, monospace; }
mark { background: var(--mark); color: inherit; }
@media (max-width: 50rem) { .sides { grid-template-columns: 1fr; } main { padding: .75rem; } }
`;
