// HTTP for servers: routes, and a server with access checks and limits.

export { bearerToken } from "./access/bearer-token.ts";
export { readOwnerTokens } from "./access/owner-tokens.ts";
export { isLoopbackHost } from "./addresses.ts";
export { HttpError, methodNotAllowed } from "./http-error.ts";
export { ListenError } from "./listen.ts";
export { isOwnPort } from "./listening-sockets.ts";
export { type Near, serveNear } from "./near-port.ts";
export { findPortHolder } from "./port-holder.ts";
export { requireJson } from "./read-body.ts";
export { type Access, type Exchange, type HttpAnswer, type HttpRoute, jsonAnswer } from "./route.ts";
export { type HttpLimits, type HttpServer, type HttpServerOptions, serveHttp } from "./serve-http.ts";
export { type HttpEnd, serveUntilStopped } from "./serve-until-stopped.ts";
