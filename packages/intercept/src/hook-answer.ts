// What a hook says back, in the words that Claude Code and Codex share.
import type { HookMoment } from "./tool-event.ts";

export type HookAnswer =
  | { readonly kind: "replace"; readonly output: unknown }
  | { readonly kind: "rewrite"; readonly input: Readonly<Record<string, unknown>> }
  | { readonly kind: "refuse"; readonly reason: string };

/** An empty object changes nothing. */
export function toHookOutput(answer: HookAnswer | undefined, moment: HookMoment): Readonly<Record<string, unknown>> {
  if (answer === undefined) return {};
  return { hookSpecificOutput: { hookEventName: moment, ...fieldsOf(answer) } };
}

function fieldsOf(answer: HookAnswer): Readonly<Record<string, unknown>> {
  if (answer.kind === "replace") return { updatedToolOutput: answer.output };
  if (answer.kind === "refuse") return { permissionDecision: "deny", permissionDecisionReason: answer.reason };
  return { permissionDecision: "allow", updatedInput: answer.input };
}
