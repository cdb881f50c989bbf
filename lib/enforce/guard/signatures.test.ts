import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, expect, it } from "vitest";
import { createGuard } from "./guard.ts";
import { createMiddleware } from "./http-middleware.ts";
import { knownBy } from "./identify.ts";
import type { GuardRequest } from "./request.ts";

/** As Express declares them. */
interface ExpressRequest extends IncomingMessage {
  originalUrl: string;
  user?: { id: string };
}
interface ExpressResponse extends ServerResponse {
  locals: Record<string, unknown>;
}
type RequestHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => unknown;

/** No Redis is there, and none is required. */
const guard = createGuard({ redis: "redis://127.0.0.1:1", app: "signatures", log: () => {} });
afterAll(() => guard.close());

it("compiles with the request of Express, and with none named", () => {
  const handlers: RequestHandler[] = [
    createMiddleware(guard),
    createMiddleware(guard, { identify: ({ user }: ExpressRequest) => ({ customerId: user?.id }) }),
    createMiddleware(guard, { identify: async () => undefined }),
    createMiddleware(guard, { identify: undefined }),
  ];
  const plain: (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown =
    createMiddleware(guard, { identify: ({ headers }) => ({ user: headers.from }) });
  expect([...handlers, plain]).toHaveLength(5);
  // @ts-expect-error A customer is a text.
  createMiddleware(guard, { identify: () => ({ customerId: 7 }) });
});

it("compiles with what may be undefined, under exactOptionalPropertyTypes", async () => {
  const unknown: string | undefined = process.argv[999];
  const request: GuardRequest = {
    ip: unknown,
    method: unknown,
    host: unknown,
    path: unknown,
    target: unknown,
    headers: undefined,
    user: unknown,
    customerId: unknown,
    cost: undefined,
  };
  expect(await guard.check(request)).toMatchObject({ outcome: "pass" });
});

it("keeps what the request says where identify returns undefined", async () => {
  expect(await knownBy(() => ({ path: undefined, ip: undefined, customerId: "acme" }))).toEqual({
    customerId: "acme",
  });
  expect(Object.keys(await knownBy(async () => ({ user: undefined })))).toEqual([]);
  expect(await knownBy(() => undefined)).toEqual({});
});
