// A hook's answer, in the form that Claude Code and Codex share.
import type { HookMoment } from "./tool-event.ts";

/** What a hook does about a tool call: replace its result, change its input, allow or refuse it. */
export type HookAnswer =
  | { readonly kind: "replace"; readonly output: unknown }
  /** For Codex, which cannot replace a result: the text is shown to the model instead of it. */
  | { readonly kind: "instead"; readonly text: string }
  | { readonly kind: "rewrite"; readonly input: Readonly<Record<string, unknown>> }
  /** The client does not ask its user; its own rules may still deny the call. */
  | { readonly kind: "allow" }
  | { readonly kind: "refuse"; readonly reason: string };

/** The output of a hook; an empty object changes nothing. */
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
