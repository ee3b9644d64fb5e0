// How the pruner ended (J-72). Its parent is the agent, which does not pass on the exit code: so a shell stands between the two
// and writes the code into the run's log. The shell passes signals on, and ends with the server.
import { constants } from "node:os";
import type { EventRecord } from "@jeeves/kit/events";
import type { McpServerConfig } from "../provider.ts";

/** The record that the shell writes. */
export const EXITED = "mcp_pruner.exited";

/** How a server ended; without fields where nothing is known. */
export interface ServerExit {
  readonly exit_code?: number;
  readonly signal?: string;
}

/** A shell reports an end by a signal as 128 plus its number. */
const BY_SIGNAL = 128;

// A shell gives a command in the background no stdin, so it is passed as fd 3; `wait` returns early when a signal comes in.
// Only the end of a server that was ready is written: why one did not start is in the log already. Where the server died in
// the middle of a line, a newline is added first.
const SCRIPT = `exec 3<&0
"$@" <&3 3<&- &
child=$!
exec 3<&-
trap 'kill -TERM "$child" 2>/dev/null' TERM INT HUP
wait "$child"
code=$?
while kill -0 "$child" 2>/dev/null; do
  wait "$child"
  code=$?
done
log=$JEEVES_EVENT_LOG
if [ "$code" != 0 ] && grep -q '"mcp_pruner.ready"' "$log"; then
  if [ -n "$(tail -c 1 "$log")" ]; then echo >>"$log"; fi
  now=$(date -u +%Y-%m-%dT%H:%M:%S.000Z)
  printf '{"ts":"%s","level":"warn","event":"${EXITED}","data":{"code":%d}}\\n' "$now" "$code" >>"$log"
fi
exit "$code"
`;

/** The same server, started so that its end is written down; as it was where there is no log. */
export function withExitReport(server: McpServerConfig): McpServerConfig {
  if (server.env?.JEEVES_EVENT_LOG === undefined) return server;
  const args = ["-c", SCRIPT, "jeeves", server.command, ...(server.args ?? [])];
  return { ...server, command: "/bin/sh", args };
}

/** Reads the exit code or signal from the shell's record. */
export function toServerExit({ data }: EventRecord): ServerExit {
  const code = Number(Reflect.get(data ?? {}, "code"));
  if (!Number.isSafeInteger(code)) return {};
  const [signal] = Object.entries(constants.signals).find(([, number]) => number === code - BY_SIGNAL) ?? [];
  return signal === undefined ? { exit_code: code } : { signal };
}
