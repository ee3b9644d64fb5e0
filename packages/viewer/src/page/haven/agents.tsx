// The agents of a haven: the latest one of each task, on any machine.
import type { HavenAgent } from "../../wire.ts";
import { Empty, Shell } from "../shell/notice.tsx";
import { Avatar } from "./board.tsx";

/** A table of the agents. The column "Machine" is shown only where several machines share the tasks. */
export function Agents({ agents }: { readonly agents: readonly HavenAgent[] }) {
  if (agents.length === 0) {
    return (
      <Empty title="No agent was spawned">
        <Shell>rudder agent spawn T001</Shell>
      </Empty>
    );
  }
  const isShared = agents.some(({ machine }) => machine !== undefined);
  return (
    <table class="agents" aria-label="Agents">
      <thead>
        <tr>
          <th>Task</th>
          <th>Agent</th>
          <th>State</th>
          {isShared ? <th>Machine</th> : null}
          <th>Provider</th>
          <th>Spawned</th>
        </tr>
      </thead>
      <tbody>
        {agents.map(({ task, name, state, machine, provider, spawnedAt, message }) => (
          <tr key={name}>
            <td class="num">{task}</td>
            <td>
              <Avatar name={name} /> {name}
            </td>
            <td title={message}>{state}</td>
            {isShared ? <td>{machine}</td> : null}
            <td>{provider}</td>
            <td class="num">
              <time dateTime={spawnedAt}>{new Date(spawnedAt).toLocaleString()}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
