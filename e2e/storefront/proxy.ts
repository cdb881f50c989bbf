import { NextResponse } from "next/server";
import { createProxy } from "sluice/next";
import { guard } from "./app/guard";

export const proxy = createProxy(guard, {
  // Stands for the session that a real shop would look up.
  identify: ({ headers }) => ({
    customerId: headers.get("x-signed-in-as") ?? undefined,
    cost: Number(headers.get("x-estimate") ?? 1),
  }),
  // A page of the shop in place of Sluice's.
  onDenied: ({ retryAfterSeconds }, request) =>
    request.nextUrl.pathname === "/cart"
      ? NextResponse.rewrite(new URL(`/too-many?wait=${retryAfterSeconds}`, request.url))
      : undefined,
  proxy: (_request, _event, { shadowed }) =>
    NextResponse.next(shadowed.length > 0 ? { headers: { "x-would-be-stopped-by": shadowed.join() } } : {}),
});
