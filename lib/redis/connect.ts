import { Cluster, Redis, type RedisOptions } from "ioredis";
import { DomainError } from "../errors.ts";
import { type ConnectionFailure, failureOf, noAnswer } from "./connection-error.ts";
import { readTarget, type Target } from "./target.ts";

/** Turns without an answer after which a connection is given up. */
const patience = 3;

/**
 * Finds a connection whose server fell silent: frozen, or gone without a word. It counts turns instead of time, because
 * after a long pause of this very process a timer would fire before the answer that has already arrived is read.
 */
export class Pulse {
  readonly #connection: CountersConnection;
  readonly #ask: () => Promise<void>;
  #isAsking = false;
  #silentTurns = 0;

  constructor(connection: CountersConnection, ask: () => Promise<void>) {
    this.#connection = connection;
    this.#ask = ask;
  }

  /** One turn: asks, or counts that neither the last question nor the handshake was answered yet. */
  beat(): void {
    const { status } = this.#connection;
    if (status === "ready" && !this.#isAsking) void this.#inquire();
    else if (status === "ready" || status === "connect" || status === "connecting") this.#wait();
    else this.#silentTurns = 0;
  }

  async #inquire(): Promise<void> {
    this.#silentTurns = 0;
    this.#isAsking = true;
    await this.#ask();
    this.#isAsking = false;
  }

  #wait(): void {
    if (++this.#silentTurns < patience) return;
    this.#silentTurns = 0;
    giveUp(this.#connection);
  }
}

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
  // No round trip before the first question, unless there is a password or a database number: RESP2 needs no HELLO, and the
  // name is given afterwards. A server that loads its data says so to each command.
  enableReadyCheck: false,
  protocol: 2,
  disableClientInfo: true,
  retryStrategy: (times: number) =>
    Math.min(25 * 2 ** Math.min(times, 6), 1_000) * (0.75 + Math.random() / 2),
  reconnectOnError: (error: Error) => {
    leaveOutArguments(error);
    // A master that was demoted under us: its successor is found by connecting again.
    return error.message.startsWith("READONLY");
  },
} satisfies RedisOptions;

/**
 * ioredis drops RESP3 pushes, so the connection that hears invalidations must speak RESP2. The mirror subscribes after each
 * reconnection, because what was missed must be read again then.
 */
const listening = { ...promptly, autoResubscribe: false } satisfies RedisOptions;

/** For people at a console or a terminal, who rather wait two seconds than see an error at once. */
const patiently = {
  ...promptly,
  enableOfflineQueue: true,
  maxRetriesPerRequest: 2,
  commandTimeout: 5_000,
  socketTimeout: 5_000,
  enableReadyCheck: true,
} satisfies RedisOptions;

const manners = { promptly, listening, patiently };
export type Manner = keyof typeof manners;
type ConnectionSettings = Omit<(typeof manners)[Manner], "enableReadyCheck"> & { enableReadyCheck: boolean };

/** A connection to the control server. It connects in the background and never throws from an event. */
export function connectControl(source: RedisSource, manner: Manner, name = "sluice"): Connection {
  const options = manners[manner];
  if (typeof source !== "string") return settle(copied(source, options), manner, name);
  const target = readTarget(source, "REDIS_URL");
  if (target.kind === "cluster") {
    throw new DomainError(
      "bad-input",
      "REDIS_URL names a cluster. Lists and policy need one server or Sentinel; only COUNTERS_REDIS_URL may be a cluster.",
    );
  }
  return settle(open(target, options), manner, name);
}

/** A connection to the counters: one server, Sentinel or a cluster. */
export function connectCounters(source: RedisSource, manner: Manner, name = "sluice"): CountersConnection {
  const options = manners[manner];
  if (typeof source !== "string") return settle(copied(source, options), manner, name);
  const target = readTarget(source, "COUNTERS_REDIS_URL");
  if (target.kind !== "cluster") return settle(open(target, options), manner, name);
  return quiet(
    new Cluster(target.nodes, {
      redisOptions: { ...options, ...target.options, connectionName: name },
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

function copied(source: Redis, options: ConnectionSettings): Redis {
  const checked = checkedIf(Boolean(source.options.db), options);
  return source.duplicate({ ...checked, lazyConnect: false, connectionName: "" });
}

function open(target: Exclude<Target, { kind: "cluster" }>, options: ConnectionSettings): Redis {
  const checked = checkedIf(selectsDatabase(target), options);
  if (target.kind === "sentinel") return new Redis({ ...target.options, ...checked });
  // ioredis would read a path as part of an address, where a space is %20.
  return target.url.startsWith("/")
    ? new Redis({ path: target.url, ...checked })
    : new Redis(target.url, checked);
}

/** Without the check, a connection whose database was refused is called ready before it is closed. */
const checkedIf = (selects: boolean, options: ConnectionSettings): ConnectionSettings =>
  selects ? { ...options, enableReadyCheck: true } : options;

function selectsDatabase(target: Exclude<Target, { kind: "cluster" }>): boolean {
  if (target.kind === "sentinel") return Boolean(target.options.db);
  if (!URL.canParse(target.url)) return false;
  const { pathname, searchParams } = new URL(target.url);
  return searchParams.has("db") || !["", "/", "/0"].includes(pathname);
}

function settle(connection: Redis, manner: Manner, name: string): Redis {
  connection.on("ready", () => void greet(connection, name));
  return manner === "patiently" ? quiet(connection) : unheld(quiet(connection));
}

/**
 * Names the connection for people who look at CLIENT LIST, which a server may refuse. It is the first command, so it finds out
 * whether the server answers at all, and whether it requires a password.
 */
async function greet(connection: Redis, name: string): Promise<void> {
  try {
    await connection.client("SETNAME", name);
  } catch (error) {
    if (!(error instanceof Error && error.name === "ReplyError")) return;
    if (error.message.startsWith("NOAUTH")) return remember(connection, error);
  }
  lastErrors.delete(connection);
}

/**
 * A guard's connection does not keep the process alive, or no script and no test with a guard would end. What awaits an
 * answer holds the process with a timer of its own. ioredis has no name for the timer of its next attempt.
 */
function unheld(connection: Redis): Redis {
  connection.on("connect", () => void connection.stream.unref());
  connection.on("reconnecting", () => {
    const attempt: unknown = Reflect.get(connection, "reconnectTimeout");
    if (isTimer(attempt)) attempt.unref();
  });
  return connection;
}

function isTimer(value: unknown): value is Pick<NodeJS.Timeout, "unref"> {
  return typeof value === "object" && value !== null && "unref" in value && typeof value.unref === "function";
}

/** Every command reports its own failure; an error event without a listener would end the process. */
function quiet<T extends CountersConnection>(connection: T): T {
  connection.on("error", (error: Error) => remember(connection, error));
  // While ioredis looks for a master, only this event says what a Sentinel answered.
  connection.on("sentinelError", (error: Error) => remember(connection, error));
  if (connection.isCluster) connection.on("ready", () => void lastErrors.delete(connection));
  return connection;
}

const lastErrors = new WeakMap<CountersConnection, ConnectionFailure>();

/**
 * Why a connection is not ready: the last error of connecting, of TLS, of AUTH, SELECT or the ready check. Undefined
 * once the server has answered, and where it closed the connection without an error.
 */
export function lastErrorOf(connection: CountersConnection): Error | undefined {
  return lastErrors.get(connection);
}

/** Closes a connection, because its server is silent or for another cause, and opens another one. */
export function giveUp(connection: CountersConnection, cause: Error = noAnswer()): void {
  remember(connection, cause);
  connection.disconnect(true);
}

/** Errors that only say that there is no connection. Why not, an error before them said. */
const followsAnother = /^(All sentinels are unreachable|Stream isn't writeable|Connection is closed)/;

function remember(connection: CountersConnection, error: Error): void {
  if (followsAnother.test(error.message) && lastErrors.has(connection)) return;
  lastErrors.set(connection, failureOf(connection, error));
  // ioredis would go on in database 0, where the data of others may be.
  if (isOfSelect(error)) connection.disconnect(true);
}

/**
 * ioredis puts the command with its arguments on each error that Redis answers, and others log such errors: Next logs what a
 * page throws. Of SELECT the argument is a number that the words for the error need.
 */
function leaveOutArguments(error: Error): void {
  const command = "command" in error ? error.command : undefined;
  if (typeof command !== "object" || command === null || !("name" in command)) return;
  if (command.name !== "select") Object.assign(error, { command: { name: command.name } });
}

function isOfSelect(error: Error): boolean {
  const command = "command" in error ? error.command : undefined;
  return typeof command === "object" && command !== null && "name" in command && command.name === "select";
}
