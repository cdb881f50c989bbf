import type { Request, RequestHandler, Response } from "express";
import type { Guard } from "../guard/guard.ts";
import { createMiddleware as createNodeMiddleware, type NodeOptions } from "../guard/http-middleware.ts";

export { settle } from "../guard/open-verdicts.ts";

export type ExpressOptions = NodeOptions<Request, Response>;

/**
 * Middleware for Express 4 and 5.
 *
 * @example
 * app.use(createMiddleware(guard, { identify: (request) => ({ customerId: request.user?.id }) }));
 */
export function createMiddleware(guard: Guard, options: ExpressOptions = {}): RequestHandler {
  return createNodeMiddleware(guard, options);
}
