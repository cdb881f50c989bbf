import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { environment } from "../../env.ts";
import type { Status } from "../../queries/status.ts";
import { theCatalogue } from "../catalogue.ts";
import type { Console } from "../console.ts";
import { read } from "../read.ts";
import type { SignedIn } from "../session/session.ts";
import { readStatus } from "./read-status.ts";

/** The status of this console's Sluice, as the page's first sight and the polls after it show it. */
export async function statusOf(opened: Console, who: SignedIn): Promise<Status> {
  const { redis, redisUrl: url, counters, protectedRanges, seal } = opened;
  const { countersRedisUrl: countersUrl = url, edge, isDemo } = environment();
  const catalogue = theCatalogue();
  const status = await readStatus({
    patient: { redis, url, countersUrl, protectedRanges, seal },
    counters,
    who,
    held: catalogue.isComplete ? catalogue.sizes : undefined,
    hasEdge: edge !== undefined,
  });
  return { ...status, isDemo };
}

/** A Redis that hangs keeps commands waiting for longer than the people who want to know that it does. */
const patienceMs = 1_500;
const late = { error: { code: "redis-unavailable", message: "Redis does not answer.", fields: {} } };

const answer = read("read", z.object({}), ({ console, who }) => statusOf(console, who), { isUrgent: true });

export async function getStatus(...asked: Parameters<typeof answer>): Promise<Response> {
  const tooLate = pause(patienceMs, undefined, { ref: false }).then(() =>
    Response.json(late, { status: 503, headers: { "cache-control": "no-store" } }),
  );
  return Promise.race([answer(...asked), tooLate]);
}
