import { readPolicy } from "../../enforce/policy/versions.ts";
import { mostCleared } from "../../manage/edge/clear.ts";
import { readPasses, readState, staleAfterMs } from "../../manage/edge/state.ts";
import { findSwitch } from "../../manage/edge/switch.ts";
import type { EdgeReply } from "../../queries/edge.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { redisNow } from "../../redis/redis-clock.ts";

/** What the console knows of itself. */
interface Own {
  readonly isNamed: boolean;
  readonly problem: string | undefined;
}

const mostSweeps = 20;

/** State of the edge, by the last sweep. */
export async function readEdge(redis: Connection, { isNamed, problem }: Own): Promise<EdgeReply> {
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
