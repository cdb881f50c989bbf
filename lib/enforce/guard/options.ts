import { environment, isBuildOfNext, isDevelopment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { parseTrust, type Trust } from "../../ip/client-address.ts";
import { parseRanges } from "../../ip/parse.ts";
import { nearest } from "../../nearest.ts";
import type { RedisSource } from "../../redis/connect.ts";
import { readTarget } from "../../redis/target.ts";
import { type ProtectedRange, protectedRanges } from "../lists/protected.ts";
import { readMemcachedAddress } from "../memcached/memcached-scales.ts";
import { sayProblems } from "../policy/bounds.ts";
import type { ClientFunctions } from "../policy/identify.ts";
import type { EdgeHeaders } from "../policy/request-rules.ts";
import { checkPolicy, type Policy } from "../policy/schema.ts";
import type { CountersSource } from "./counters.ts";
import type { GuardOptions } from "./guard.ts";
import { type HeaderDialect, headerDialects } from "./rate-limit-headers.ts";

/** The options of a guard, read and found to be right. */
export interface GuardSettings {
  readonly redis: RedisSource;
  readonly counters: CountersSource;
  /** Undefined unless `redis` is `memory:`. */
  readonly policy: Policy | undefined;
  readonly app: string;
  readonly clients: ClientFunctions;
  readonly edgeHeaders: EdgeHeaders;
  readonly trust: Trust;
  readonly protectedRanges: readonly ProtectedRange[];
  readonly headers: HeaderDialect;
  readonly log: (line: string) => void;
}

/** Each option by its name: the compiler reports one that is missing here. */
const optionNames = Object.keys({
  redis: true,
  app: true,
  counters: true,
  policy: true,
  clients: true,
  edgeHeaders: true,
  trustedProxies: true,
  neverBlock: true,
  rateLimitHeaders: true,
  log: true,
} satisfies Record<keyof GuardOptions, true>);

/** Throws one sentence that names the option and what is wrong with it, never what it holds: that may be a password. */
export function readOptions(given: GuardOptions): GuardSettings {
  if (typeof given !== "object" || given === null)
    throw wrong("options", "must be an object such as { redis, app }.");
  for (const name of Object.keys(given)) requireKnown(name);
  const options = isBuildOfNext() ? unconnected(given) : given;
  const { redisUrl, countersRedisUrl } = environment();
  const isGiven = "redis" in options;
  const redis = readRedis(isGiven ? options.redis : redisUrl);
  const counters = options.counters ?? (isGiven ? undefined : countersRedisUrl);
  const trust = readTrust(options.trustedProxies);
  return {
    redis,
    counters: counters === undefined ? redis : readCounters(counters, redis),
    policy: options.policy === undefined ? undefined : readPolicy(options.policy, redis),
    app: readApp(options.app),
    clients: readClients(options.clients),
    edgeHeaders: readEdgeHeaders(options.edgeHeaders),
    trust,
    protectedRanges: protectedRanges({
      trustedProxies: trust.ranges.ranges,
      neverBlock: readNeverBlock(options.neverBlock),
    }),
    headers: readHeaders(options.rateLimitHeaders),
    log: readLog(options.log),
  };
}

/** Of a process that protects nothing. What is wrong with the addresses is found when the app starts. */
function unconnected({ counters: _, ...options }: GuardOptions): GuardOptions {
  return { ...options, redis: inMemory, log: () => {} };
}

function requireKnown(name: string): void {
  if (optionNames.includes(name)) return;
  const meant = nearest(name, optionNames);
  throw wrong(
    name,
    meant
      ? `is not an option. Did you mean ${meant}?`
      : `is not an option. The options are ${optionNames.join(", ")}.`,
  );
}

function readApp(app: unknown): string {
  if (typeof app === "string" && app.trim() !== "") return app;
  throw wrong("app", 'is missing: name what is protected, for example app: "storefront".');
}

function readRedis(source: GuardOptions["redis"]): RedisSource {
  if (source === undefined || isBlank(source))
    throw wrong("redis", isDevelopment() ? `${missing} ${withoutRedis}` : missing);
  if (source === inMemory) return source;
  if (typeof source === "string") return readAddress("redis", source);
  if (!isRedis(source)) throw wrong("redis", "must be an address or an ioredis instance.");
  if (source.isCluster) throw wrong("redis", clustered);
  return source;
}

function readCounters(source: CountersSource, redis: RedisSource): CountersSource {
  if (redis === inMemory && source !== inMemory)
    throw wrong("counters", 'must be left out with redis: "memory:", which counts in this process.');
  if (isBlank(source))
    throw wrong("counters", "is empty: leave it out to keep counters beside the lists, or give an address.");
  if (typeof source !== "string") return readCountersInstance(source);
  if (source === inMemory) return source;
  if (!source.startsWith("memcached:")) return readAddress("counters", source);
  return named("counters", () => {
    readMemcachedAddress(source);
    return source;
  });
}

function readCountersInstance(source: Exclude<CountersSource, string>): CountersSource {
  const isMemcached = typeof source === "object" && source !== null && "incr" in source && "get" in source;
  if (isRedis(source) || isMemcached) return source;
  throw wrong("counters", "must be an address, an ioredis instance or a memcached client.");
}

function readPolicy(given: GuardOptions["policy"], redis: RedisSource): Policy {
  if (redis !== inMemory) throw wrong("policy", publishIt);
  const checked = checkPolicy(given);
  if (!checked.ok) throw wrong("policy", `cannot be used. ${sayProblems(checked.problems)}.`);
  return checked.policy;
}

function readAddress(name: "redis" | "counters", text: string): string {
  return named(name, () => {
    const { kind } = readTarget(text, name);
    if (name === "redis" && kind === "cluster") throw wrong(name, clustered);
    return text;
  });
}

/** The refusal of an address, as one of the option. */
function named<T>(name: "redis" | "counters", read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DomainError) || error.message.startsWith(prefix)) throw error;
    const others = name === "counters" ? " Counters may also be memcached://host:port or memory:." : "";
    throw new DomainError("bad-input", `${prefix}${error.message}${others}`, error.fields);
  }
}

function readClients(clients: GuardOptions["clients"]): ClientFunctions {
  for (const [name, client] of Object.entries(clients ?? {}))
    if (typeof client !== "function") throw wrong(`clients.${name}`, "must be a function.");
  return clients ?? {};
}

/** Names are compared in lower case. */
function readEdgeHeaders(given: GuardOptions["edgeHeaders"] = {}): EdgeHeaders {
  if (typeof given !== "object" || given === null)
    throw wrong("edgeHeaders", 'must be an object such as { country: "cf-ipcountry" }.');
  const { country, verifiedBot, ...others } = given;
  const odd = Object.keys(others)[0];
  if (odd !== undefined)
    throw wrong(`edgeHeaders.${odd}`, "is not known. Known are country and verifiedBot.");
  return {
    country: readHeaderName("country", country),
    verifiedBot: readHeaderName("verifiedBot", verifiedBot),
  };
}

function readHeaderName(what: string, name: unknown): string | undefined {
  if (name === undefined) return undefined;
  if (typeof name === "string" && /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) return name.toLowerCase();
  throw wrong(`edgeHeaders.${what}`, "must be the name of a header.");
}

function readTrust(setting: GuardOptions["trustedProxies"]): Trust {
  const trust = parseTrust(setting);
  if (!trust.ok) throw wrong("trustedProxies", `cannot be read: ${trust.reason}.`);
  return trust.value;
}

function readNeverBlock(setting: GuardOptions["neverBlock"]) {
  const ranges = parseRanges(setting);
  if (!ranges.ok) throw wrong("neverBlock", `cannot be read: ${ranges.reason}.`);
  return ranges.value;
}

function readHeaders(dialect: GuardOptions["rateLimitHeaders"]): HeaderDialect {
  if (dialect === undefined) return "draft";
  if (headerDialects.includes(dialect)) return dialect;
  throw wrong("rateLimitHeaders", `must be one of ${headerDialects.map((one) => `"${one}"`).join(", ")}.`);
}

function readLog(log: GuardOptions["log"]): (line: string) => void {
  if (log === undefined) return console.warn;
  if (typeof log !== "function") throw wrong("log", "must be a function.");
  return log;
}

const isBlank = (source: unknown) => typeof source === "string" && source.trim() === "";

/** An instance may come from the app's own copy of ioredis, so its class says nothing. */
function isRedis(source: CountersSource): source is Exclude<RedisSource, string> {
  return (
    typeof source === "object" &&
    source !== null &&
    "duplicate" in source &&
    typeof source.duplicate === "function"
  );
}

/** In place of an address: all in this process. */
export const inMemory = "memory:";

const withoutRedis = 'For development and tests without Redis, give "memory:".';
const publishIt =
  'is for redis: "memory:" alone. With Redis, all nodes enforce the policy that is published there: sluice policy set.';
const missing =
  "is missing. Give the address of Redis, for example redis://127.0.0.1:6379, or set REDIS_URL and leave redis out. Is the environment variable set?";
const clustered = "is a cluster. Lists need one server or Sentinel; only counters may be a cluster.";
const prefix = "createGuard: ";

function wrong(option: string, problem: string): DomainError {
  return new DomainError("bad-input", `${prefix}${option} ${problem}`, { [option]: problem });
}
