// What a hook answers, in the words that Claude Code and Codex share.
import type { HookMoment } from "./tool-event.ts";

/** What a hook does about a tool call: replace its result, change its input, allow or refuse it. */
export type HookAnswer =
  | { readonly kind: "replace"; readonly output: unknown }
  /** Codex has no way to replace a result; what the hook gives in its place is shown to the model as it stands. */
  | { readonly kind: "instead"; readonly text: string }
  | { readonly kind: "rewrite"; readonly input: Readonly<Record<string, unknown>> }
  /** The client asks its user nothing; where its own rules deny the call, they still hold. */
  | { readonly kind: "allow" }
  | { readonly kind: "refuse"; readonly reason: string };

/** An empty object changes nothing. */
export function toHookOutput(answer: HookAnswer | undefined, moment: HookMoment): Readonly<Record<string, unknown>> {
  if (answer === undefined) return {};
  if (answer.kind === "instead") return { continue: false, stopReason: answer.text };
  return { hookSpecificOutput: { hookEventName: moment, ...fieldsOf(answer) } };
}

function fieldsOf(answer: Exclude<HookAnswer, { kind: "instead" }>): Readonly<Record<string, unknown>> {
  if (answer.kind === "replace") return { updatedToolOutput: answer.output };
  if (answer.kind === "refuse") return { permissionDecision: "deny", permissionDecisionReason: answer.reason };
  if (answer.kind === "allow") return { permissionDecision: "allow" };
  return { permissionDecision: "allow", updatedInput: answer.input };
}
