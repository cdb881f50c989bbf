import { mostCleared } from "../../../lib/edge/clear.ts";
import { readState, readSweeps, staleAfterMs } from "../../../lib/edge/state.ts";
import { findSwitch } from "../../../lib/edge/switch.ts";
import { readPolicy } from "../../../lib/policy/versions.ts";
import type { EdgeReply } from "../../../lib/queries/edge.ts";
import type { Connection } from "../../../lib/redis/connect.ts";
import { keys } from "../../../lib/redis/keys.ts";

/** What the console knows of itself. */
interface Own {
  readonly isNamed: boolean;
  readonly problem: string | undefined;
}

const mostSweeps = 20;

/** How the edge stands, by what the last sweep said. */
export async function readEdge(redis: Connection, { isNamed, problem }: Own): Promise<EdgeReply> {
  const [time, now, { policy }, limited, state, sweeps] = await Promise.all([
    redis.time(),
    findSwitch(redis),
    readPolicy(redis),
    redis.hlen(keys.edgeLimited()),
    readState(redis),
    readSweeps(redis, mostSweeps),
  ]);
  const asOf = Number(time[0]) * 1_000 + Math.floor(Number(time[1]) / 1_000);
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
