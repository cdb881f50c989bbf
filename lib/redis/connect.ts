import { Cluster, Redis, type RedisOptions } from "ioredis";
import { DomainError } from "../errors.ts";
import { readTarget, type Target } from "./target.ts";

export type Connection = Redis;
export type CountersConnection = Redis | Cluster;

/** What an app may hand over: an address, or a connection of its own that is then copied, never used. */
export type RedisSource = string | Redis;

/**
 * Nothing waits in a queue and nothing is sent twice: a command either reaches the server now or fails now, so
 * a verdict is never late and a hit is never counted twice. Who asks sets the time limit; see Pulse for silence.
 */
const promptly = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  retryStrategy: (times: number) =>
    Math.min(25 * 2 ** Math.min(times, 6), 1_000) * (0.75 + Math.random() / 2),
  // A master that was demoted under us: its successor is found by connecting again.
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
} satisfies RedisOptions;

/**
 * ioredis drops RESP3 pushes, so the connection that hears invalidations speaks RESP2. It subscribes by itself
 * after each reconnect, because what it had missed must be read again then (see Mirror).
 */
const listening = { ...promptly, protocol: 2, autoResubscribe: false } satisfies RedisOptions;

/** For people at a console or a terminal, who rather wait two seconds than see an error at once. */
const patiently = {
  ...promptly,
  enableOfflineQueue: true,
  maxRetriesPerRequest: 2,
  commandTimeout: 5_000,
  socketTimeout: 5_000,
} satisfies RedisOptions;

const manners = { promptly, listening, patiently };
export type Manner = keyof typeof manners;
type Settings = (typeof manners)[Manner] & { connectionName: string };

/** A connection to the control server. It connects by itself and never throws from an event. */
export function connectControl(source: RedisSource, manner: Manner, name = "sluice"): Connection {
  const options = { ...manners[manner], connectionName: name };
  if (typeof source !== "string") return quiet(source.duplicate({ ...options, lazyConnect: false }));
  const target = readTarget(source, "REDIS_URL");
  if (target.kind === "cluster") {
    throw new DomainError(
      "bad-input",
      "REDIS_URL names a cluster. Lists and policy need one server or Sentinel; only COUNTERS_REDIS_URL may be a cluster.",
    );
  }
  return quiet(open(target, options));
}

/** A connection to the counters: one server, Sentinel or a cluster. */
export function connectCounters(source: RedisSource, manner: Manner, name = "sluice"): CountersConnection {
  const options = { ...manners[manner], connectionName: name };
  if (typeof source !== "string") return quiet(source.duplicate({ ...options, lazyConnect: false }));
  const target = readTarget(source, "COUNTERS_REDIS_URL");
  if (target.kind !== "cluster") return quiet(open(target, options));
  return quiet(
    new Cluster(target.nodes, {
      redisOptions: { ...options, ...target.options },
      enableOfflineQueue: options.enableOfflineQueue,
      // A resend after a lost connection could count one hit twice.
      retryDelayOnFailover: 0,
      slotsRefreshTimeout: 2_000,
      // A master that fell silent says nothing of its successor, and the others may never be asked.
      slotsRefreshInterval: 2_000,
      clusterRetryStrategy: (times) => Math.min(50 * times, 1_000),
    }),
  );
}

function open(target: Exclude<Target, { kind: "cluster" }>, options: Settings): Redis {
  return target.kind === "single"
    ? new Redis(target.url, options)
    : new Redis({ ...target.options, ...options });
}

/** Every command reports its own failure; an error event nobody hears would end the process. */
function quiet<T extends CountersConnection>(connection: T): T {
  connection.on("error", () => {});
  return connection;
}
