// The viewer's server and its page; and a reader for windows of event logs, for the sources of runs.

export { type MeterFields, meterToStep } from "./event-log/meter-step.ts";
export { type EventLog, type LogState, type LogWindow, openEventLog } from "./event-log/open-event-log.ts";
export { shorten } from "./event-log/shorten.ts";
export type { CutFailure, Overview, OverviewPart, PolicyFigures, ReadAgain } from "./overview.ts";
export {
  DEFAULT_VIEWER_PORT,
  startViewer,
  type Viewer,
  type ViewerOptions,
} from "./start-viewer.ts";
export type {
  Asked,
  BlocksSource,
  HavenSource,
  OverviewSource,
  PrunerSource,
  RunsSource,
  SavingsSource,
  ViewerData,
} from "./viewer-data.ts";
export type {
  Call,
  CutBlock,
  CutLines,
  CutView,
  HavenAgent,
  HavenMemory,
  HavenTask,
  HavenView,
  LostSession,
  RecordView,
  Recovery,
  RunList,
  RunStatus,
  RunSummary,
  Savings,
  SavingsPart,
  SavingsPoint,
  SavingsSums,
  Sizes,
  Step,
  StepKind,
  TaskColumn,
  TimelineView,
  TimelineWindow,
  TryCut,
  TryRequest,
  WhyRun,
} from "./wire.ts";
