import { environment, requireRedisUrl } from "../../env.ts";
import { controlConnection } from "../../redis/connections.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/** Requests within this time share an answer: anyone can ask, and each question to Redis costs the check time. */
const sharedMs = 500;

/** Public, so it says little: whether the console can reach what it needs. */
export async function getHealth(): Promise<Response> {
  const isUp = await isRedisUp(performance.now());
  return Response.json(
    { status: isUp ? "ok" : "redis-unavailable" },
    { status: isUp ? 200 : 503, headers: { "cache-control": "no-store" } },
  );
}

function isRedisUp(now: number): Promise<boolean> {
  const last = oncePerProcess("health", (): { answer?: { isUp: Promise<boolean>; askedAt: number } } => ({}));
  if (last.answer && now - last.answer.askedAt < sharedMs) return last.answer.isUp;
  const isUp = controlConnection(requireRedisUrl(environment()))
    .ping()
    .then(
      () => true,
      () => false,
    );
  last.answer = { isUp, askedAt: now };
  return isUp;
}
