// A process that claims T001 as `victim` and kills itself at the point that it was told: as SIGKILL from outside would.
import { openFileStore } from "../../src/index.ts";
import { commandTask } from "../../src/tasks/change-task.ts";

const [haven = "", point = ""] = process.argv.slice(2);
const store = openFileStore({
  haven,
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
