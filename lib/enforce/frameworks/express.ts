import type { Request, RequestHandler, Response } from "express";
import type { Guard } from "../guard/guard.ts";
import {
  createMiddleware as createNodeMiddleware,
  type NodeLimitOptions,
  type NodeOptions,
  limit as nodeLimit,
} from "../guard/http-middleware.ts";
import type { Limit } from "../guard/limit.ts";

export { settle } from "../guard/open-verdicts.ts";

export type ExpressOptions = NodeOptions<Request, Response>;
export type ExpressLimitOptions = NodeLimitOptions<Request, Response>;

/**
 * Middleware for Express 4 and 5.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: (request) => ({ customerId: request.user?.id }) }));
 */
export function createMiddleware(guard: Guard, options: ExpressOptions = {}): RequestHandler {
  return createNodeMiddleware(guard, options);
}

/**
 * Counts the requests of a route by a limit of its own, as `guard.limit` does: by the client's address unless `key` names another.
 * Safelisted clients pass uncounted; the blocklist and the policy are for `createMiddleware`. What it returns is the limit, too.
 *
 * @example
 * app.post("/login", limit(guard, "login", { limit: 5, periodSeconds: 60, countWhen: { status: [401] } }), signIn);
 */
export function limit(guard: Guard, name: string, options: ExpressLimitOptions): RequestHandler & Limit {
  return nodeLimit(guard, name, options);
}
