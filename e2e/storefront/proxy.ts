import { NextResponse } from "next/server";
import { createGuard } from "sluice";
import { createProxy } from "sluice/next";

const guard = createGuard({
  redis: process.env.REDIS_URL,
  app: "storefront",
  trustedProxies: process.env.TRUSTED_PROXIES,
  // Each department has one quota, however many of its pages are asked for: "teapots" of /api/v1/teapots/7.
  clients: { department: ({ path }) => /^\/api\/v1\/([^/]+)/.exec(path ?? "")?.[1] },
});

export const proxy = createProxy(guard, {
  // Stands for the session that a real shop would look up.
  identify: (request) => ({ customerId: request.headers.get("x-signed-in-as") ?? undefined }),
  // A page of the shop in place of Sluice's.
  onDenied: ({ retryAfterSeconds }, request) =>
    request.nextUrl.pathname === "/cart"
      ? NextResponse.rewrite(new URL(`/too-many?wait=${retryAfterSeconds}`, request.url))
      : undefined,
  proxy: (_request, _event, { shadowed }) =>
    NextResponse.next(shadowed.length > 0 ? { headers: { "x-would-be-stopped-by": shadowed.join() } } : {}),
});
