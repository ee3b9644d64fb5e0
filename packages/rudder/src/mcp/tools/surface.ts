// What a model reads of this server before it asks anything: paid for on every turn (X-53: at most 900 tokens in all).
import type { ToolDefinition } from "@jeeves/kit/mcp";

/** What a client gets when it connects. */
export const INSTRUCTIONS =
  "Tasks, leases and shared memory of this project's agents. Claim a task before you work on it, log what others should know (tips!), release it when done.";

type Surface = Pick<ToolDefinition, "name" | "description" | "inputSchema" | "annotations">;

const string = { type: "string" };
const readOnly = { readOnlyHint: true };
/** Said once, where a model meets it first. */
const taskId = { type: "string", description: "like T042" };

const ofTask = (name: string, description: string, annotations?: ToolDefinition["annotations"]): Surface => ({
  name,
  description,
  ...(annotations === undefined ? {} : { annotations }),
  inputSchema: { type: "object", properties: { task_id: string }, required: ["task_id"] },
});

export const taskLogSurface: Surface = {
  name: "task_log",
  description: "Log a message for a task: progress, tips, warnings, errors. Other agents see it.",
  inputSchema: {
    type: "object",
    properties: {
      task_id: taskId,
      message: string,
      level: { enum: ["info", "tip", "warn", "error", "critical"], default: "info" },
      file: { type: "string", description: "it is about" },
      command: { type: "string", description: "it is about; not run" },
    },
    required: ["task_id", "message"],
  },
};
export const taskShowSurface = ofTask("task_show", "Task details: metadata, description, deliverables.", readOnly);
export const taskShowMemorySurface = ofTask("task_show_memory", "Memory for a task: tips of previous work.", readOnly);
export const taskTargetsSurface = ofTask("task_targets", "Target versions of a task.", readOnly);
export const assignClaimSurface = ofTask("assign_claim", "Claim a task; its full context comes back.");
export const assignReleaseSurface = ofTask("assign_release", "Release a task when its work is complete.");
export const depsShowSurface = ofTask("deps_show", "Dependencies of a task: blockers and dependents.", readOnly);

export const contextLoadSurface: Surface = {
  name: "context_load",
  description: "Load the context of a task, or of an operation (agent bootstrap).",
  annotations: readOnly,
  inputSchema: {
    type: "object",
    properties: {
      operation: { type: "string", description: "task id, or a name like task-start" },
      role: { enum: ["agent", "skill"], default: "agent" },
    },
    required: ["operation"],
  },
};
export const versionsSurface: Surface = {
  name: "versions",
  description: "Current component versions.",
  annotations: readOnly,
  inputSchema: { type: "object" },
};
export const statusSurface: Surface = {
  name: "status",
  description: "Project status: PRDs, epics, tasks.",
  annotations: readOnly,
  inputSchema: { type: "object" },
};
export const cliSurface: Surface = {
  name: "cli",
  description:
    'Any rudder command without "rudder", like: deps ready · task next · artifact:edit T042 --section Notes --append "text" · --help',
  inputSchema: { type: "object", properties: { command: string }, required: ["command"] },
};
