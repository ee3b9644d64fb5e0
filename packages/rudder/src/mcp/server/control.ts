// What the haven's server can be asked on its own socket, beside MCP: who it is, and to listen for an agent. Never on
// an agent's socket. Both sides take the shapes from here.
import * as z from "zod";

/** The names of the methods. */
export const CONTROL = {
  about: "rudder/server",
  serveAgent: "rudder/serve_agent",
  dropAgent: "rudder/drop_agent",
} as const;

/** From the bridge, before anything else: RUDDER_AGENT of its environment. */
export const CALLER_NOTIFICATION = "rudder/caller";

/** The answer about the server itself. */
export const aboutServer = z.object({
  pid: z.number().int().positive(),
  haven: z.string(),
  project: z.string(),
  port: z.number().optional(),
  task_id: z.string().optional(),
  clients: z.number(),
  agents: z.array(z.string()),
  started_at: z.string(),
  version: z.string(),
});
export type AboutServer = z.infer<typeof aboutServer>;

const name = z.string().regex(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u);

/** What goes with the notification of a caller. */
export const callerParams = z.object({ name });

/** An agent's socket: under which name its calls are made, and whether they may concern its task alone. */
export const agentSocketSchema = z.object({ task_id: z.string(), name, restricted: z.boolean() });
export type AgentSocket = z.infer<typeof agentSocketSchema>;

export const dropParams = z.object({ task_id: z.string() });

/** A refusal is a value: the asker shows its words. */
export const controlAnswer = z.union([
  z.object({ ok: z.literal(true), socket: z.string() }),
  z.object({ ok: z.literal(false), message: z.string(), hint: z.string() }),
]);
export type ControlAnswer = z.infer<typeof controlAnswer>;
