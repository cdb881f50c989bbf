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
  /** Where browsers reach the console; https makes its cookies secure. */
  readonly publicUrl?: string | undefined;
  /** The first admin, made when there is no user yet. */
  readonly adminEmail?: string | undefined;
  readonly adminPassword?: string | undefined;
  readonly oidc?: OidcSettings | undefined;
  /** What a proxy shows to /api/check. Without it nobody may ask. */
  readonly token?: string | undefined;
  /** The edges that turn clients away before they reach the fleet. */
  readonly edge?: string | undefined;
  readonly fastlyToken?: string | undefined;
}

/** Single sign-on by any OpenID provider. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The claim that names a role, or groups that do. */
  readonly roleClaim: string;
}

export function environment(): Environment {
  return {
    redisUrl: text("REDIS_URL"),
    countersRedisUrl: text("COUNTERS_REDIS_URL") ?? text("REDIS_URL"),
    trustedProxies: text("SLUICE_TRUSTED_PROXIES"),
    neverBlock: text("SLUICE_NEVER_BLOCK"),
    secret: text("NEXTAUTH_SECRET"),
    publicUrl: text("NEXTAUTH_URL"),
    adminEmail: text("SLUICE_ADMIN_EMAIL"),
    adminPassword: text("SLUICE_ADMIN_PASSWORD"),
    oidc: oidc(),
    token: text("SLUICE_TOKEN"),
    edge: text("SLUICE_EDGE"),
    fastlyToken: text("FASTLY_API_TOKEN"),
  };
}

export function requireRedisUrl({ redisUrl }: Environment): string {
  if (redisUrl !== undefined) return redisUrl;
  throw new DomainError("not-configured", "REDIS_URL is not set: it says which Redis holds the lists.", {
    REDIS_URL: "for example redis://127.0.0.1:6379",
  });
}

function oidc(): OidcSettings | undefined {
  const [issuer, clientId, clientSecret] = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map((name) =>
    text(`OIDC_${name}`),
  );
  if (!issuer || !clientId || !clientSecret) return undefined;
  return { issuer, clientId, clientSecret, roleClaim: text("OIDC_ROLE_CLAIM") ?? "role" };
}

function text(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === "" ? undefined : value;
}
