import { z } from "zod";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { environment } from "../../env.ts";
import { mostCleared } from "../../manage/edge/clear.ts";
import type { Limited } from "../../manage/edge/decide.ts";
import { readLimited } from "../../manage/edge/limited.ts";
import { readPasses, readState, staleAfterMs } from "../../manage/edge/state.ts";
import { findSwitch } from "../../manage/edge/switch.ts";
import { type EdgeReply, type LimitedClient, type LimitedReply, mostRowsRead } from "../../queries/edge.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";
import { read } from "../read.ts";
import { shared } from "../statistics.ts";
import { theSweep } from "./sweep.ts";

const freshMs = 900;

export const getEdge = read("read", z.object({}), ({ console }) =>
  shared("edge", freshMs, () =>
    readEdge(console.redis, { isNamed: environment().edge !== undefined, problem: theSweep().problem }),
  ),
);

const place = z.coerce.number().int().min(0).max(1_000_000);
const limitedSearch = z
  .object({ q: z.string().trim().max(200).default(""), from: place, to: place })
  .refine(({ from, to }) => to > from && to - from <= mostRowsRead);

export const getLimitedClients = read("read", limitedSearch, async ({ console, search }) =>
  pageOf(await shared("edge limited", freshMs, () => readLimited(console.redis)), search),
);

/** The part that is looked at, of all that the search finds in what is shown of them. */
export function pageOf(
  limited: readonly Limited[],
  { q, from, to }: z.output<typeof limitedSearch>,
): LimitedReply {
  const found = q === "" ? limited : limited.filter((one) => isFound(one, q.toLowerCase()));
  const ofAddress = new Map<string, number>();
  for (const { fingerprint } of limited)
    ofAddress.set(fingerprint.ip, (ofAddress.get(fingerprint.ip) ?? 0) + 1);
  const rows = found.slice(from, to).map(
    ({ fingerprint, since, until, count, limit, at = [] }): LimitedClient => ({
      ...fingerprint,
      ...{ since, until, count, limit, at: [...at] },
      others: (ofAddress.get(fingerprint.ip) ?? 1) - 1,
    }),
  );
  return { total: limited.length, matching: found.length, offset: from, rows };
}

/** Its key is found by its beginning: any letter occurs in one. */
function isFound({ fingerprint }: Limited, q: string): boolean {
  const { key, ip, userAgent, host, path, method } = fingerprint;
  const where = host === undefined ? "everything" : `${method} ${host}${path}`;
  return (
    ip.includes(q) ||
    where.toLowerCase().includes(q) ||
    userAgent.toLowerCase().includes(q) ||
    (q.length >= 8 && key.startsWith(q))
  );
}

const mostSweeps = 20;

/** State of the edge, by the last sweep. */
export async function readEdge(
  redis: Connection,
  { isNamed, problem }: { isNamed: boolean; problem: string | undefined },
): Promise<EdgeReply> {
  const [asOf, now, { policy }, limited, state, sweeps] = await Promise.all([
    redisNow(redis),
    findSwitch(redis),
    readPolicy(redis),
    redis.hlen(keys.edgeLimited()),
    readState(redis),
    readPasses(redis, mostSweeps),
  ]);
  const { by, at, reason } = now;
  return {
    asOf,
    isOn: now.isOn,
    switched: by !== undefined && at !== undefined ? { by, at, reason: reason ?? "" } : null,
    mode: policy.mode,
    coolDownMinutes: policy.edge.coolDownMinutes,
    limited,
    mostLetIn: mostCleared,
    isNamed,
    problem: problem ?? null,
    last: state ?? null,
    isStale: state === undefined || asOf - state.at > staleAfterMs,
    sweeps,
  };
}
