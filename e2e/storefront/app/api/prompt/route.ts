import { after } from "next/server";
import { settle } from "sluice/next";

/** Knows only after its response what it has cost. */
export async function POST(request: Request): Promise<Response> {
  const { tokens } = await request.json();
  after(() => settle(request, { cost: tokens }));
  return Response.json({ answer: "42" });
}
