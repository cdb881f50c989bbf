import { DomainError } from "./errors.ts";

/** The environment, read in this file alone. README lists every name. */
export interface Environment {
  readonly redisUrl: string | undefined;
  /** Counters on a server, Sentinel or cluster of their own; beside the lists unless set. */
  readonly countersRedisUrl: string | undefined;
  readonly trustedProxies: string | undefined;
  readonly neverBlock: string | undefined;
  /** Signs sessions; the audit log's key is derived from it. */
  readonly secret: string | undefined;
  /** What a proxy shows to /api/check. Without it nobody may ask. */
  readonly token?: string | undefined;
}

export function environment(): Environment {
  return {
    redisUrl: text("REDIS_URL"),
    countersRedisUrl: text("COUNTERS_REDIS_URL") ?? text("REDIS_URL"),
    trustedProxies: text("SLUICE_TRUSTED_PROXIES"),
    neverBlock: text("SLUICE_NEVER_BLOCK"),
    secret: text("NEXTAUTH_SECRET"),
    token: text("SLUICE_TOKEN"),
  };
}

export function requireRedisUrl({ redisUrl }: Environment): string {
  if (redisUrl !== undefined) return redisUrl;
  throw new DomainError("not-configured", "REDIS_URL is not set: it says which Redis holds the lists.", {
    REDIS_URL: "for example redis://127.0.0.1:6379",
  });
}

function text(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === "" ? undefined : value;
}
