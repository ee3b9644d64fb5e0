// A model that follows a script, behind a real HTTP port on loopback: the one part of an agent that cannot be here.
// It keeps no turn counter: which turn comes next is read off the conversation that the client sends, so that a
// client's retry gets the same answer twice. A Dialect knows what one vendor's wire looks like.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the model. */
export type Turn = SayTurn | CallTurn;

export interface SayTurn {
  readonly say: string;
}

export interface CallTurn {
  readonly call: ToolName;
  /** A function sees what the model has seen so far: a later call can use an earlier result. */
  readonly with: Arguments | ((seen: Conversation) => Arguments);
}

export type Arguments = Readonly<Record<string, unknown>>;

/** `server` is the MCP server's name in the client; without it the tool is the client's own. */
export interface ToolName {
  readonly server?: string;
  readonly tool: string;
}

/** What one request showed to the model. */
export interface Conversation {
  /** Every tool's definition as listed to the model, by the name under which the model would call it. */
  readonly tools: readonly ListedTool[];
  /** What the model has answered so far: the script's position. */
  readonly answers: number;
  readonly outputs: readonly ToolOutput[];
  /** Whatever the client put in as instructions, and the user's own words. */
  readonly instructions: string;
}

export interface ListedTool {
  readonly server?: string;
  readonly tool: string;
  readonly description: string;
}

/** A tool's result as the model reads it: `parts` in the client's order, nothing decoded. */
export interface ToolOutput {
  readonly callId: string;
  readonly call: ToolName;
  readonly parts: readonly string[];
  readonly isError: boolean;
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** How one vendor's wire is spoken. */
export interface Dialect {
  /** The path of a request for the model's next answer; some name the model in it. */
  readonly modelPath: string | RegExp;
  parse(body: unknown): Conversation;
  render(turn: ResolvedTurn, request: unknown): Answer;
  /** Anything but a request for an answer; undefined is a 404. */
  answerOther(method: string, path: string, body: unknown): Answer | undefined;
  /** This vendor's error for a bad request, on which the client gives up at once. */
  renderProblem(message: string): Answer;
}

export type ResolvedTurn =
  | SayTurn
  | { readonly call: ToolName; readonly callId: string; readonly arguments: Arguments };

export interface ScriptedModel {
  /** Scheme, host and port, no path. */
  readonly origin: string;
  /** Every conversation that asked for an answer, in the order of arrival. */
  readonly conversations: readonly Conversation[];
  /** The same requests as they came in: JSON. */
  readonly bodies: readonly string[];
  /** Where the script or the fake was left: any entry means that the run did not go as written. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export async function startScriptedModel(script: readonly Turn[], dialect: Dialect): Promise<ScriptedModel> {
  const conversations: Conversation[] = [];
  const bodies: string[] = [];
  const problems: string[] = [];

  const answer = (method: string, path: string, text: string): Answer => {
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    const { modelPath } = dialect;
    const isForModel = typeof modelPath === "string" ? path === modelPath : modelPath.test(path);
    if (method !== "POST" || !isForModel) {
      return dialect.answerOther(method, path, body) ?? { status: 404, contentType: "text/plain", body: "not here" };
    }
    const conversation = dialect.parse(body);
    conversations.push(conversation);
    bodies.push(text);
    const turn = script[conversation.answers];
    if (turn === undefined) throw new Error(`the script has ${script.length} turns, and the client asked for more`);
    return dialect.render(resolve(turn, conversation), body);
  };

  const server = createServer((request, response) => {
    readBody(request)
      .then((text) => answer(request.method ?? "", pathOf(request), text))
      .catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        problems.push(`${request.method} ${request.url}: ${message}`);
        return dialect.renderProblem(message);
      })
      .then((done) => send(response, done));
  });
  const port = await listen(server);

  return {
    origin: `http://127.0.0.1:${port}`,
    conversations,
    bodies,
    problems,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function resolve(turn: Turn, seen: Conversation): ResolvedTurn {
  if ("say" in turn) return turn;
  const callArguments = typeof turn.with === "function" ? turn.with(seen) : turn.with;
  return { call: turn.call, callId: `call_${seen.answers + 1}`, arguments: callArguments };
}

function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? "/", "http://127.0.0.1").pathname;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { "content-type": answer.contentType });
  response.end(answer.body);
}

function listen(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      server.off("error", fail);
      done((server.address() as AddressInfo).port);
    });
  });
}
