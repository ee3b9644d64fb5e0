// The agents' notes, newest first.
import { useRef, useState } from "preact/hooks";
import type { HavenMemory } from "../../wire.ts";
import { ago } from "../format.ts";
import { Empty, Shell } from "../shell/notice.tsx";
import { useNow } from "../use-data.ts";
import { useKeys } from "../use-keys.ts";

/** The notes, with a search over text, task, author and level. */
export function MemoryStream({ memory }: { readonly memory: readonly HavenMemory[] }) {
  const [words, setWords] = useState("");
  const now = useNow(20_000);
  const search = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => search.current?.focus() });
  if (memory.length === 0) {
    return (
      <Empty title="Nothing was written down yet">
        <Shell>rudder task log T001 "The API wants UTC" --tip</Shell>
      </Empty>
    );
  }
  const wanted = words.toLowerCase();
  const shown = memory.filter(({ message, task = "", by = "", level }) =>
    `${message} ${task} ${by} ${level}`.toLowerCase().includes(wanted),
  );
  return (
    <section class="memory" aria-label="Memory">
      <input
        ref={search}
        type="search"
        placeholder="Search  /"
        aria-label="Search the memory"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ol tabIndex={0} aria-label="Newest first">
        {shown.map((line, i) => (
          // Two notes may be equal in all fields
          <li key={`${line.ts} ${i}`} class={`level-${line.level}`}>
            <span class="memory-level">{line.level}</span>
            <p>{line.message}</p>
            <span class="memory-meta num">{[line.task, line.by, ago(line.ts, now)].filter(Boolean).join(" · ")}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
