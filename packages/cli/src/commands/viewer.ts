// `jeeves viewer`: the page alone, for this project, until it is stopped. stdout has its address; events go to stderr.
import { once } from "node:events";
import { createEvents } from "@jeeves/kit/events";
import { bearerToken, ListenError } from "@jeeves/kit/http";
import { findUserToken } from "@jeeves/state";
import { startViewer } from "@jeeves/viewer";
import { CliError } from "../cli-error.ts";
import { tellStateFaults } from "../terminal/state-faults.ts";
import { openViewerData } from "../viewer-data/open-viewer-data.ts";

interface ViewerCommandOptions {
  readonly host?: string;
  readonly port?: number;
}

/** Serves the page until SIGINT, SIGTERM or SIGHUP. Throws CliError where the token or the address cannot be used. */
export async function viewerCommand(options: ViewerCommandOptions): Promise<void> {
  const { env } = process;
  tellStateFaults();
  const token = parseToken(env.JEEVES_TOKEN || undefined);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, onSignal);
  // Only errors are worth a line on stderr, not every request of the page.
  const events = createEvents({ stderr: process.stderr, format: "text", minLevel: "error" });
  try {
    const viewer = await startViewer({
      data: openViewerData({ env, cwd: process.cwd() }),
      events,
      signal: stop.signal,
      token,
      userToken: await findUserToken(env),
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(options.port === undefined ? {} : { port: options.port }),
    });
    if (viewer.moved !== undefined) process.stderr.write(`jeeves: ${viewer.moved}; using port ${viewer.port}\n`);
    process.stdout.write(`${viewer.url}\n`);
    if (!stop.signal.aborted) await once(stop.signal, "abort");
    await viewer.close();
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new CliError(error.message, error.code === "port_in_use" ? "--port 0 takes any free one" : "");
  } finally {
    await events.flush();
  }
}

function parseToken(given: string | undefined): string | undefined {
  const parsed = bearerToken.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CliError(`JEEVES_TOKEN: expected ${parsed.error.issues[0]?.message}`);
}
