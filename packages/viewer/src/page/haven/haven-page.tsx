// Tasks: the board, the dependencies, the agents, and their notes.
import { useState } from "preact/hooks";
import type { HavenView } from "../../wire.ts";
import { baseName } from "../format.ts";
import { Empty, Loading, Shell, Trouble } from "../shell/notice.tsx";
import { useFetched, useLive } from "../use-data.ts";
import { Agents } from "./agents.tsx";
import { Board } from "./board.tsx";
import { Holders } from "./holders.tsx";
import { MemoryStream } from "./memory-stream.tsx";
import { TaskGraph } from "./task-graph.tsx";

const TABS = ["board", "graph", "agents", "memory"] as const;
const NAMES = { board: "Board", graph: "Dependencies", agents: "Agents", memory: "Memory" } as const;

/** The view "Tasks" with its four tabs; where the project has no haven, the commands that make one. */
export function HavenPage() {
  const version = useLive("haven");
  const { value, error } = useFetched<HavenView>("/api/haven", {}, version);
  const [tab, setTab] = useState<(typeof TABS)[number]>("board");
  if (error !== undefined && value === undefined) return <Trouble error={error} />;
  if (value === undefined) return <Loading />;
  if (value.kind === "none") {
    return (
      <Empty title="This project has no shared tasks">
        <p>The agents of one project can share tasks, who works on what, and what they learned: {value.message}.</p>
        <Shell>{`rudder init\nrudder prd create "Shop"\nrudder epic create PRD-001 "Checkout"\nrudder task create E001 "Parse the header"`}</Shell>
        <p class="quiet-text">{value.hint}</p>
      </Empty>
    );
  }
  return (
    <div class="haven">
      <div class="pane-head">
        <h1>
          Tasks <small title={value.project}>{baseName(value.project)}</small>
        </h1>
        <fieldset class="segmented">
          <legend class="sr">What is shown</legend>
          {TABS.map((each) => (
            <button key={each} type="button" aria-pressed={tab === each} onClick={() => setTab(each)}>
              {NAMES[each]}
            </button>
          ))}
        </fieldset>
        <Holders tasks={value.tasks} />
      </div>
      {value.problems.length > 0 ? (
        <details class="problems">
          <summary>{value.problems.length} problems in its files</summary>
          <ul>
            {value.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </details>
      ) : null}
      {value.tasks.length === 0 && tab !== "memory" && tab !== "agents" ? (
        <Empty title="No task yet">
          <Shell>rudder task create E001 "Parse the header"</Shell>
        </Empty>
      ) : tab === "board" ? (
        <Board tasks={value.tasks} epics={value.epics} seenAt={value} />
      ) : tab === "graph" ? (
        <TaskGraph tasks={value.tasks} />
      ) : tab === "agents" ? (
        <Agents agents={value.agents} />
      ) : (
        <MemoryStream memory={value.memory} />
      )}
    </div>
  );
}
