// A process that claims T001 as `victim` and kills itself at the point that it was given: as SIGKILL from outside would.
import { openPostgresStore } from "../../packages/rudder/src/index.ts";
import { commandTask } from "../../packages/rudder/src/tasks/change-task.ts";
import { openDatabase } from "../../packages/state/src/index.ts";

const [id = "", point = ""] = process.argv.slice(2);
const store = openPostgresStore({
  database: openDatabase(process.env.JEEVES_DATABASE_URL ?? ""),
  id,
  haven: "/nowhere",
  crash: (at) => {
    if (at === point) process.kill(process.pid, "SIGKILL");
  },
});
await commandTask(
  { store, projectHash: "p", signal: undefined, nextOperation: () => ({ id: "op-crash", call: "T001 claim" }) },
  {
    taskId: "T001",
    command: { kind: "claim", by: { kind: "name", name: "victim" }, ttlMs: 60_000, operation: "x", pid: process.pid },
  },
);
