import type { ProtectedRange } from "../enforce/lists/protected.ts";
import { environment, requireRedisUrl } from "../env.ts";
import { DomainError } from "../errors.ts";
import type { Trust } from "../ip/client-address.ts";
import { type Seal, sealFrom } from "../manage/audit/seal.ts";
import { readProtection } from "../manage/lists/protection.ts";
import type { Connection, CountersConnection } from "../redis/connect.ts";
import { controlConnection, countersConnection } from "../redis/connections.ts";
import { oncePerProcess } from "../redis/once-per-process.ts";

/** Connections and settings of pages, reads and actions: one object in a process. */
export interface Console {
  readonly redisUrl: string;
  readonly redis: Connection;
  readonly counters: CountersConnection;
  readonly secret: string;
  readonly seal: Seal;
  readonly trust: Trust;
  readonly protectedRanges: readonly ProtectedRange[];
}

export function theConsole(): Console {
  return oncePerProcess("console", open);
}

function open(): Console {
  const env = environment();
  const redisUrl = requireRedisUrl(env);
  if (env.secret === undefined) throw new DomainError("not-configured", "NEXTAUTH_SECRET is not set.");
  const { trust, protectedRanges } = readProtection(env);
  return {
    redisUrl,
    redis: controlConnection(redisUrl),
    counters: countersConnection(env.countersRedisUrl ?? redisUrl),
    secret: env.secret,
    seal: sealFrom(env.secret),
    trust,
    protectedRanges,
  };
}
