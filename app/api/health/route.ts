import { environment, requireRedisUrl } from "../../../lib/env.ts";
import { controlConnection } from "../../../lib/redis/roles.ts";

export const dynamic = "force-dynamic";

/** Public, so it says little: whether the console can reach what it needs. */
export async function GET(): Promise<Response> {
  const isUp = await controlConnection(requireRedisUrl(environment()))
    .ping()
    .then(
      () => true,
      () => false,
    );
  return Response.json(
    { status: isUp ? "ok" : "redis-unavailable" },
    { status: isUp ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}
