// `jeeves up`: everything for one project in one process on loopback: the text pruner, the tools for agents, research,
// the haven's tools and the page. stdout lists where it all is and how to connect the clients that are here.
import { createEvents, type EventSinks } from "@jeeves/kit/events";
import { type HttpRoute, type HttpServer, ListenError, readOwnerTokens, serveUntilStopped } from "@jeeves/kit/http";
import { createResearcher, loadSettings } from "@jeeves/research";
import { createResearchRoute } from "@jeeves/research/http";
import { locate } from "@jeeves/rudder";
import { createRudderRoute } from "@jeeves/rudder/http";
import { startViewer, type Viewer } from "@jeeves/viewer";
import { killBackground } from "@jeeves/workspace";
import { CliError } from "../cli-error.ts";
import { type FoundClient, findClients, KNOWN_CLIENTS } from "../find-clients.ts";
import { openServices, type Services } from "../open-services.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createPaint } from "../terminal/paint.ts";
import { openBrowser } from "../up/open-browser.ts";
import { claimProject, pageFileOf, type UpRecord } from "../up/project-record.ts";
import { openViewerData } from "../viewer-data/open-viewer-data.ts";

interface UpOptions {
  readonly root?: string;
  readonly port?: string;
  readonly pagePort?: number;
  readonly open?: boolean;
}

/**
 * Serves until it is stopped, or prints where another process serves this project already. Returns the exit code.
 * Throws CliError where a port cannot be used.
 */
export async function upCommand(options: UpOptions): Promise<number> {
  const { env } = process;
  // Loopback, whatever the environment holds: what is for others is served by `jeeves serve` and `jeeves viewer`.
  const services = await openServices({ root: options.root, port: options.port, host: "127.0.0.1" }, env);
  if (services === undefined) return 2;
  const claimed = await claimProject(services.root, env);
  if ("other" in claimed) return join(claimed.other, options);
  const file = env.JEEVES_EVENT_LOG;
  const events = createEvents({ stderr: process.stderr, format: "text", minLevel: "warn", ...(file ? { file } : {}) });
  if (claimed.problem !== undefined) events.emit("warn", "up.record_failed", { message: claimed.problem });
  const closers: (() => Promise<unknown>)[] = [claimed.own.remove, killBackground];
  try {
    const ownerTokens = await readOwnerTokens(env, events);
    const viewer = await startViewer({
      data: openViewerData({ env, cwd: services.root }),
      events,
      token: services.token,
      userToken: ownerTokens[0],
      ...(options.pagePort === undefined ? {} : { port: options.pagePort }),
    });
    closers.unshift(() => viewer.close());
    const more = await openMore(services.root, { env, events });
    closers.unshift(more.close);
    const clients = await findClients({ env, cwd: services.root });
    await serveUntilStopped({
      host: services.host,
      port: services.port,
      isPortMovable: true,
      token: services.token,
      ownerTokens,
      events,
      routes: [...services.createRoutes(events), ...more.routes],
      limits: { maxBodyBytes: services.maxBodyBytes },
      onReady: (server, moved) => {
        announce({ server, viewer, services, moved, clients });
        claimed.own
          .announce({ page: viewer.url, services: server.url })
          .catch((error) => events.emit("warn", "up.record_failed", { message: String(error) }));
        if (options.open === true) void show(viewer.url, services.root, env);
      },
    });
    return 0;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new CliError(error.message, "--port and --page-port name others");
  } finally {
    for (const close of closers) await close();
    await events.flush();
  }
}

/** Another process serves this project: prints its addresses. */
async function join({ owner, root, page, services }: UpRecord, options: UpOptions): Promise<number> {
  if (page === undefined || services === undefined) {
    throw new CliError(`process ${owner.pid} is starting for ${root}`, "try again in a moment");
  }
  process.stdout.write(`jeeves is up for ${root} already (process ${owner.pid})\n\n  page      ${page}\n`);
  process.stdout.write(`  services  ${services}\n`);
  if (options.open === true) await show(page, root, process.env);
  return 0;
}

async function show(url: string, root: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (!(await openBrowser(url, { file: pageFileOf(root, env), env })))
    process.stderr.write(`jeeves: no browser could be started; open ${url}\n`);
}

async function openMore(
  root: string,
  { env, events }: { readonly env: NodeJS.ProcessEnv; readonly events: EventSinks },
): Promise<{ readonly routes: readonly HttpRoute[]; close(): Promise<void> }> {
  const researcher = createResearcher({
    settings: loadSettings({ env, cwd: root, roots: [root], file: undefined }),
    env,
    onWarning: (what, error) => events.emit("warn", "up.research_warning", { what, message: String(error) }),
  });
  const place = await locate({ cwd: root, haven: env.RUDDER_HAVEN, home: env.HOME, env });
  return {
    routes: [
      createResearchRoute(researcher, { path: "/research", events, env }),
      createRudderRoute(place, { path: "/rudder", events, env }),
    ],
    close: () => researcher.close(),
  };
}

function announce(at: {
  readonly server: HttpServer;
  readonly viewer: Viewer;
  readonly services: Services;
  readonly moved: string | undefined;
  readonly clients: readonly FoundClient[];
}): void {
  const { server, viewer, services, moved } = at;
  const paint = createPaint(process.stdout, process.env);
  const out = (line = "") => process.stdout.write(`${line}\n`);
  const rows = [
    [`${server.url}/mcp`, "read, bash, grep, recover_text (MCP)"],
    [`${server.url}/research`, "questions about the code base (MCP)"],
    [`${server.url}/rudder`, "tasks, leases and memory (MCP)"],
    [`${server.url}/rpc`, "prune_text, recover_text (JSON-RPC)"],
    [`${server.url}/prune`, "the text pruner for clients of swe-pruner"],
  ];
  out(`${paint("bold", "jeeves is up")} for ${services.root}`);
  out();
  out(`  ${paint("bold", viewer.url)}  the page: your last week, runs, cuts, savings, tasks`);
  out();
  const width = Math.max(...rows.map(([url = ""]) => url.length));
  for (const [url = "", about] of rows) out(`  ${url.padEnd(width)}  ${about}`);
  for (const [why, port] of [
    [moved, server.port],
    [viewer.moved, viewer.port],
  ] as const)
    if (why !== undefined) out(`  ${paint("yellow", `${why}; using port ${port}`)}`);
  out();
  const { clients } = at;
  out(clients.length === 0 ? "No coding agent was found on this machine. To connect one:" : "Connect a client:");
  const known = clients.length > 0 ? clients : KNOWN_CLIENTS;
  const titleWidth = Math.max("all of them".length, ...known.map(({ title }) => title.length));
  if (clients.some(({ isConnected }) => !isConnected)) {
    out(`  ${"all of them".padEnd(titleWidth)}  ${ownCommand("setup")}`);
  }
  for (const { title, name, isConnected } of known) {
    out(`  ${title.padEnd(titleWidth)}  ${isConnected ? paint("green", "connected") : ownCommand(`init ${name}`)}`);
  }
  out();
  out(paint("dim", "Ctrl-C stops it."));
}
