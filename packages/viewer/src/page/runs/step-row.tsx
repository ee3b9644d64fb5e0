// One row of a timeline. An unknown event is shown with the name that it has in the log.

import type { Call, Step } from "../../wire.ts";
import { clock, duration } from "../format.ts";
import { SizeBar } from "../shell/size-bar.tsx";

const KIND_WORDS: Readonly<Record<Step["kind"], string>> = {
  task: "task",
  call: "call",
  message: "says",
  reasoning: "thinks",
  turn: "turn ends",
  state: "state",
  end: "end",
  event: "event",
  torn: "torn",
};

interface StepRowProps {
  readonly index: number;
  readonly total: number;
  readonly step: Step | undefined;
  readonly isActive: boolean;
  /** Whether the run goes on: only then a call without a result is shown as at work. */
  readonly isRunning: boolean;
  readonly onOpen: (step: Step) => void;
}

/** A placeholder while `step` is undefined, that is, not loaded yet. */
export function StepRow({ index, total, step, isActive, isRunning, onOpen }: StepRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the focus, and its keys (Enter among them) act on its active row
    // biome-ignore lint/a11y/useFocusableInteractive: as above: aria-activedescendant
    <div
      id={`step-${index}`}
      class={`step kind-${step?.kind ?? "waiting"} level-${step?.level ?? "info"}`}
      role="option"
      aria-selected={isActive}
      aria-posinset={index + 1}
      aria-setsize={total}
      onClick={() => step !== undefined && onOpen(step)}
    >
      {step === undefined ? <span class="skeleton" /> : <Filled step={step} isRunning={isRunning} />}
    </div>
  );
}

function Filled({ step, isRunning }: { readonly step: Step; readonly isRunning: boolean }) {
  return (
    <>
      <span class="step-time num">{clock(step.ts)}</span>
      {step.call === undefined ? (
        <Said step={step} />
      ) : (
        <CallCells call={step.call} note={step.text} isRunning={isRunning} />
      )}
    </>
  );
}

function Said({ step }: { readonly step: Step }) {
  const isKnown = step.kind !== "event" && step.kind !== "torn";
  return (
    <>
      <span class="step-kind">{isKnown ? KIND_WORDS[step.kind] : step.event}</span>
      <span class="step-text step-said">{step.text}</span>
    </>
  );
}

function CallCells({
  call,
  note,
  isRunning,
}: {
  readonly call: Call;
  readonly note: string;
  readonly isRunning: boolean;
}) {
  const state = call.isOpen ? (isRunning ? "at work…" : "no result") : call.isError ? "failed" : "";
  return (
    <>
      <span class={`step-kind tool ${call.isError ? "failed" : ""}`} title={call.tool}>
        {call.tool}
      </span>
      <span class="step-text">
        <code>{call.input || note}</code>
        {call.focus === undefined ? null : <q class="focus">{call.focus}</q>}
      </span>
      <span class="step-sizes">
        {call.sizes === undefined ? (
          <span class="quiet-text">{state}</span>
        ) : call.sizes.raw === 0 && call.sizes.recovered > 0 ? (
          <span class="recovered">recovered {Math.round(call.sizes.recovered / 100) / 10} kB</span>
        ) : (
          <SizeBar sizes={call.sizes} />
        )}
      </span>
      <span class="step-ms num">{call.durationMs === undefined ? "" : duration(call.durationMs)}</span>
    </>
  );
}
