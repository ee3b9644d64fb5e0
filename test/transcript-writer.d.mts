/** What one call of the model was billed for; a field that is left out is not written. */
export interface StepUsage {
  readonly cached?: number;
  /** Claude Code only; `hour` of them for an hour. */
  readonly written?: number;
  readonly hour?: number;
  readonly plain?: number;
  readonly output?: number;
}

/** A tool that the call asked for, and its result. */
export interface StepTool {
  readonly tool: string;
  readonly input?: object;
  readonly text: string;
  readonly isError?: boolean;
  /** When the result came; the time of the step without it. */
  readonly at?: string;
}

export interface Step {
  readonly at: string;
  /** A line as it is, before the others. */
  readonly raw?: string;
  readonly prompt?: string;
  readonly compacted?: boolean;
  readonly id?: string;
  readonly usage?: StepUsage;
  readonly tools?: readonly StepTool[];
}

export interface TranscriptOptions {
  readonly session: string;
  readonly dir?: string;
  readonly model?: string;
  readonly steps: readonly Step[];
}

export function claudeTranscript(
  options: TranscriptOptions & { readonly sidechain?: boolean; readonly agent?: string },
): string;
export function codexTranscript(options: TranscriptOptions): string;
