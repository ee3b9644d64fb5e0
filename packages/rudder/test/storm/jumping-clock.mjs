// Loaded before a program (`--import`): its wall clock jumps by up to a year every second or so, back and forth. All
// programs of one storm jump together, because the jump follows from the monotonic clock; those of one machine may be
// some minutes off besides.
const skewMs = Number(process.env.STORM_SKEW_MS ?? 0);
const DAY_MS = 86_400_000;
const now = Date.now.bind(Date);
const jump = () => {
  const seconds = Number(process.hrtime.bigint() / 1_000_000_000n);
  return Math.round(Math.sin(seconds * 12.9898) * 365) * DAY_MS;
};
Date.now = () => now() + jump() + skewMs;
