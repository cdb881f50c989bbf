import { type Seal, sealFrom } from "../../lib/audit/seal.ts";
import { environment, requireRedisUrl } from "../../lib/env.ts";
import { DomainError } from "../../lib/errors.ts";
import { parseTrust, type Trust } from "../../lib/ip/client-address.ts";
import { parseAddress } from "../../lib/ip/parse.ts";
import { type ProtectedRange, protectedRanges } from "../../lib/lists/protected.ts";
import type { Connection, CountersConnection } from "../../lib/redis/connect.ts";
import { atHome } from "../../lib/redis/home.ts";
import { controlConnection, countersConnection } from "../../lib/redis/roles.ts";

/** What pages, reads and actions stand on: one of it in a process. */
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
  return atHome("console", open);
}

function open(): Console {
  const env = environment();
  const redisUrl = requireRedisUrl(env);
  if (env.secret === undefined) throw new DomainError("not-configured", "NEXTAUTH_SECRET is not set.");
  const trust = parseTrust(env.trustedProxies);
  if (!trust.ok) throw new DomainError("not-configured", `SLUICE_TRUSTED_PROXIES: ${trust.reason}.`);
  const neverBlock = (env.neverBlock ?? "").split(/[\s,]+/).filter(Boolean);
  return {
    redisUrl,
    redis: controlConnection(redisUrl),
    counters: countersConnection(env.countersRedisUrl ?? redisUrl),
    secret: env.secret,
    seal: sealFrom(env.secret),
    trust: trust.value,
    protectedRanges: protectedRanges({
      trustedProxies: trust.value.ranges.ranges,
      neverBlock: neverBlock.map(readNeverBlock),
    }),
  };
}

function readNeverBlock(text: string) {
  const range = parseAddress(text);
  if (range.ok) return range.value;
  throw new DomainError("not-configured", `SLUICE_NEVER_BLOCK: ${range.reason}.`);
}
