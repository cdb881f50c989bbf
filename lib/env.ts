import { DomainError } from "./errors.ts";

/** Settings from environment variables, which only this file reads. docs/reference/environment.md lists every name. */
export interface Environment {
  readonly redisUrl: string | undefined;
  /** Server, Sentinel or cluster of the counters. The same as `redisUrl` unless set. */
  readonly countersRedisUrl: string | undefined;
  readonly trustedProxies: string | undefined;
  readonly neverBlock: string | undefined;
  /** Signs sessions. The key of the audit log is derived from it. */
  readonly secret: string | undefined;
  /** Console whose API the command line uses in place of Redis. */
  readonly apiUrl?: string | undefined;
  /** Token for it. */
  readonly apiToken?: string | undefined;
  /** URL at which browsers reach the console. With https its cookies are secure. */
  readonly publicUrl?: string | undefined;
  /** Email of the first admin, created while there is no user. */
  readonly adminEmail?: string | undefined;
  readonly adminPassword?: string | undefined;
  readonly oidc?: OidcSettings | undefined;
  /** Token for /api/check. Undefined turns the check off. */
  readonly checkToken?: string | undefined;
  /** Apps that /api/check answers for. Undefined allows any name. */
  readonly checkApps?: string | undefined;
  /** Headers in which the proxies that ask /api/check say the client's country, and whether it is a verified bot. */
  readonly checkCountryHeader?: string | undefined;
  readonly checkVerifiedBotHeader?: string | undefined;
  /** Token for /api/metrics. Undefined turns metrics off. */
  readonly metricsToken?: string | undefined;
  /** Whether the process serves only /api/check, /api/health and /api/metrics. */
  readonly isOnlyCheck?: boolean | undefined;
  /** Edges that deny clients before they reach the fleet. */
  readonly edge?: string | undefined;
  readonly fastlyToken?: string | undefined;
  /** MMDB files with data on networks, for the console and the command line. */
  readonly mmdb?: string | undefined;
  /** Folder of the files that feeds may read. */
  readonly feedFiles?: string | undefined;
  /** Mail server for alarms: smtp://… or smtps://…, with user and password. */
  readonly smtpUrl?: string | undefined;
  /** Sender of these emails. */
  readonly mailFrom?: string | undefined;
  /** Whether alarms may be sent to this machine and to private networks, also without https. */
  readonly alarmsToPrivate?: boolean | undefined;
  /** Whether the console asks DNS for no names of clients. */
  readonly isReverseDnsOff?: boolean | undefined;
  /** Whether the data are a demonstration's. The console says so on each page. */
  readonly isDemo?: boolean | undefined;
}

/** Single sign-on with any OpenID provider. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claim that decides the role. Undefined for the default claim. */
  readonly roleClaim: string | undefined;
  /** Role for each value of that claim. */
  readonly roleMap: string | undefined;
}

export function environment(): Environment {
  return {
    redisUrl: text("REDIS_URL"),
    countersRedisUrl: text("COUNTERS_REDIS_URL") ?? text("REDIS_URL"),
    trustedProxies: text("SLUICE_TRUSTED_PROXIES"),
    neverBlock: text("SLUICE_NEVER_BLOCK"),
    secret: text("NEXTAUTH_SECRET"),
    apiUrl: text("SLUICE_URL"),
    apiToken: text("SLUICE_API_TOKEN"),
    publicUrl: text("NEXTAUTH_URL"),
    adminEmail: text("SLUICE_ADMIN_EMAIL"),
    adminPassword: text("SLUICE_ADMIN_PASSWORD"),
    oidc: oidc(),
    checkToken: text("SLUICE_CHECK_TOKEN") ?? text("SLUICE_TOKEN"),
    checkApps: text("SLUICE_CHECK_APPS"),
    checkCountryHeader: text("SLUICE_CHECK_COUNTRY_HEADER"),
    checkVerifiedBotHeader: text("SLUICE_CHECK_VERIFIED_BOT_HEADER"),
    metricsToken: text("SLUICE_METRICS_TOKEN") ?? text("SLUICE_TOKEN"),
    isOnlyCheck: flag("SLUICE_ONLY_CHECK"),
    edge: text("SLUICE_EDGE"),
    fastlyToken: text("FASTLY_API_TOKEN"),
    mmdb: text("SLUICE_MMDB"),
    feedFiles: text("SLUICE_FEED_FILES"),
    smtpUrl: text("SLUICE_SMTP_URL"),
    mailFrom: text("SLUICE_MAIL_FROM"),
    alarmsToPrivate: flag("SLUICE_ALARMS_TO_PRIVATE"),
    isReverseDnsOff: text("SLUICE_REVERSE_DNS") !== undefined && !flag("SLUICE_REVERSE_DNS"),
    isDemo: flag("SLUICE_DEMO"),
  };
}

/**
 * Whether mistakes in an app's code are errors, so that developers see them. Servers often run without NODE_ENV. There, as
 * in production, a mistake must not stop requests.
 */
export function isDevelopment(): boolean {
  return process.env.NODE_ENV === "development" || process.env.NODE_ENV === "test";
}

/** Whether Next builds the app: it loads each route, on a machine that may have no settings and no Redis. */
export function isBuildOfNext(): boolean {
  return process.env.NEXT_PHASE === "phase-production-build";
}

export function requireRedisUrl({ redisUrl }: Environment): string {
  if (redisUrl !== undefined) return redisUrl;
  throw new DomainError("not-configured", "REDIS_URL is not set. Set it to the Redis that holds the lists.", {
    REDIS_URL: "for example redis://127.0.0.1:6379",
  });
}

function oidc(): OidcSettings | undefined {
  const [issuer, clientId, clientSecret] = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map((name) =>
    text(`OIDC_${name}`),
  );
  if (!issuer || !clientId || !clientSecret) return undefined;
  return {
    ...{ issuer, clientId, clientSecret },
    ...{ roleClaim: text("OIDC_ROLE_CLAIM"), roleMap: text("OIDC_ROLE_MAP") },
  };
}

/** A flag is set by any value but these. */
function flag(name: string): boolean {
  return !["0", "false", "no", "off"].includes(text(name)?.toLowerCase() ?? "0");
}

function text(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === "" ? undefined : value;
}
