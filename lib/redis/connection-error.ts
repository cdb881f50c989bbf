import type { Cluster } from "ioredis";
import { at } from "../at.ts";
import type { CountersConnection } from "./connect.ts";
import { readTarget } from "./target.ts";

/** Why a connection failed, with what only the connection knows of it. The cause is ioredis' or Node's own error. */
export class ConnectionFailure extends Error {
  override readonly name = "ConnectionFailure";
  /** The connection was made with `rediss://` or with TLS options. */
  readonly usesTls: boolean;
  /** The server had accepted the connection, and with TLS the handshake was over. */
  readonly wasAccepted: boolean;

  constructor(cause: Error, { usesTls, wasAccepted }: Pick<ConnectionFailure, "usesTls" | "wasAccepted">) {
    super(cause.message, { cause });
    this.usesTls = usesTls;
    this.wasAccepted = wasAccepted;
  }
}

export function failureOf(connection: CountersConnection, error: Error): ConnectionFailure {
  const { tls } = isCluster(connection) ? (connection.options.redisOptions ?? {}) : connection.options;
  return new ConnectionFailure(error, {
    usesTls: Boolean(tls),
    wasAccepted: connection.status !== "connecting",
  });
}

/** Of a server that accepts the connection and is silent. */
export const noAnswer = () => new Error("The server does not answer");

/** What a sentence about a failure needs to know. */
interface FailureFacts {
  readonly target: string;
  /** The code of the error, if it has one, and its message. */
  readonly text: string;
  readonly usesTls: boolean;
  readonly wasAccepted: boolean;
  /** The command that Redis refused, and for SELECT the number. */
  readonly command: string;
  readonly database: string;
}

type FailureWords = readonly [
  matches: (failure: FailureFacts) => boolean,
  says: (failure: FailureFacts) => string,
];

const has =
  (pattern: RegExp) =>
  ({ text }: FailureFacts) =>
    pattern.test(text);
const all =
  (...conditions: ((failure: FailureFacts) => boolean)[]) =>
  (failure: FailureFacts) =>
    conditions.every((condition) => condition(failure));

const isTls = ({ usesTls }: FailureFacts) => usesTls;
const isUnaccepted = ({ wasAccepted }: FailureFacts) => !wasAccepted;
const wasCut = has(/ECONNRESET|EPIPE|socket disconnected|closed before it was ready/i);

/** The first that matches counts: answers of Redis, then names and routes, then TLS, then what is left. */
const sentences: readonly FailureWords[] = [
  [
    has(/No such master|invalid reply: null/),
    ({ target }) =>
      `Sentinel at ${target} knows no master of this name. Check the name at the end of the address.`,
  ],
  [
    has(/WRONGPASS|invalid password|invalid username-password/i),
    ({ target }) =>
      `Redis at ${target} rejected the user name or the password (WRONGPASS). Check both in the address.`,
  ],
  [
    has(/NOAUTH/),
    ({ target }) =>
      `Redis at ${target} requires a password (NOAUTH). Put it into the address: redis://user:password@host:port.`,
  ],
  [
    all(({ command }) => command === "SELECT", has(/NOPERM/)),
    ({ target, database }) =>
      `Redis at ${target} does not allow this account to use database ${database} (NOPERM). Grant SELECT, or remove the number from the address.`,
  ],
  [
    has(/NOPERM|no permissions/i),
    ({ target, command }) =>
      `Redis at ${target} does not allow this account to run ${command || "a command that Sluice uses"} (NOPERM). Grant it in the ACL of the account.`,
  ],
  [
    has(/DB index|SELECT is not allowed/i),
    ({ target, database }) =>
      `Redis at ${target} has no database ${database}. Check the number at the end of the address.`,
  ],
  [
    has(/max number of clients/i),
    ({ target }) =>
      `Redis at ${target} accepts no more connections (maxclients is reached). Raise maxclients, or close other clients.`,
  ],
  [
    has(/protected mode/i),
    ({ target }) =>
      `Redis at ${target} accepts connections from its own machine only (protected mode). Set a password on the server and in the address.`,
  ],
  [
    has(/LOADING/),
    ({ target }) => `Redis at ${target} is loading its data from disk. It answers when that is done.`,
  ],
  [
    has(/cluster support disabled/i),
    ({ target }) => `Redis at ${target} is not a cluster. Give the address of one server, without a comma.`,
  ],
  [
    has(/ENOTFOUND/),
    ({ target }) => `The host name in ${target} does not exist (ENOTFOUND). Check its spelling and the DNS.`,
  ],
  [
    has(/EAI_AGAIN/),
    ({ target }) =>
      `The host name in ${target} cannot be resolved: the DNS server does not answer (EAI_AGAIN). Check the network and the DNS.`,
  ],
  [
    has(/ECONNREFUSED/),
    ({ target }) =>
      `Nothing accepts connections at ${target} (ECONNREFUSED). Check that Redis is running, its bind address and its port.`,
  ],
  [
    all(has(/ENOENT/), has(/connect/)),
    ({ target }) => `There is no socket ${target} (ENOENT). Check the path, and that Redis is running.`,
  ],
  [
    all(has(/EACCES|EPERM/), has(/connect/)),
    ({ target }) => `This process may not open ${target} (EACCES). Check the permissions of the socket.`,
  ],
  [
    has(/EHOSTUNREACH|ENETUNREACH|EHOSTDOWN/),
    ({ target, text }) =>
      `There is no route to ${target} (${codeIn(text)}). Check the address and the network.`,
  ],
  [
    has(/ALTNAME_INVALID|HOSTNAME_MISMATCH/),
    ({ target }) =>
      `The certificate of Redis at ${target} is for another host name. Use a name that the certificate covers.`,
  ],
  [
    has(/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/),
    ({ target, text }) =>
      `The certificate of Redis at ${target} is not valid now (${codeIn(text)}). Renew it, and check the clocks.`,
  ],
  [
    has(/SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED|CERT_SIGNATURE|CERT_REJECTED|INVALID_CA/),
    ({ target, text }) =>
      `The certificate of Redis at ${target} is not trusted (${codeIn(text)}). Set NODE_EXTRA_CA_CERTS to the file of its certificate authority.`,
  ],
  [
    has(/CERTIFICATE_REQUIRED|ALERT_HANDSHAKE_FAILURE|ALERT_BAD_CERTIFICATE|ALERT_UNKNOWN_CA/i),
    ({ target }) =>
      `Redis at ${target} requires a certificate of the client. Give createGuard an ioredis instance with its key and certificate.`,
  ],
  [
    has(/WRONG_VERSION_NUMBER|PACKET_LENGTH|wrong version number|packet length/i),
    ({ target }) => `The port of ${target} does not use TLS. Use redis://, or the TLS port of the server.`,
  ],
  [
    all(isTls, isUnaccepted, has(/ETIMEDOUT|ECONNRESET|EPIPE|EPROTO|ERR_SSL|disconnected/i)),
    ({ target, text }) =>
      `There was no TLS handshake with ${target} (${codeIn(text)}). Check the host and the port. If the port does not use TLS, use redis://.`,
  ],
  [
    has(/Unknown RESP type/),
    ({ target }) =>
      `The server at ${target} does not answer as Redis does. Check the port. If the port uses TLS, use rediss://.`,
  ],
  [
    all(isTls, wasCut),
    ({ target }) =>
      `Redis at ${target} closed the connection before it answered. It may require a certificate of the client.`,
  ],
  [
    wasCut,
    ({ target }) =>
      `Redis at ${target} closed the connection before it answered. If the port uses TLS, use rediss://.`,
  ],
  [
    has(/The server does not answer/),
    ({ target }) =>
      `Redis at ${target} does not answer. Check that the server is running and not overloaded, and that the port is that of Redis.`,
  ],
  [
    has(/ETIMEDOUT|timed out|Socket timeout/i),
    ({ target }) =>
      `${target} does not answer (ETIMEDOUT). Check the host, the port and the firewalls on the way.`,
  ],
  [
    has(/Connection is closed/),
    ({ target }) => `There is no connection to ${target}. Check that it is running, and its address.`,
  ],
];

/**
 * Says where a connection leads, why it failed and what to do, in whole sentences and without secrets.
 *
 * @param target where the connection leads, as `safeTargetName` names it
 * @example
 * describeConnectionError(error, "127.0.0.1:6379")
 * // "Nothing accepts connections at 127.0.0.1:6379 (ECONNREFUSED). Check that Redis is running, …"
 */
export function describeConnectionError(error: Error, target: string): string {
  const failure = readFailure(error, target);
  const found = sentences.find(([matches]) => matches(failure));
  return found ? found[1](failure) : `Redis at ${target} failed: ${plain(failure.text)}.`;
}

/** Where a Redis is, without user and password: `host:port`, the path of a socket, `sentinel:port,…/master`, or a cluster's nodes. */
export function safeTargetName(source: string | CountersConnection): string {
  return typeof source === "string" ? nameOfAddress(source) : nameOfConnection(source);
}

function nameOfAddress(address: string): string {
  const target = readTarget(address, "The address of Redis");
  if (target.kind === "cluster") return target.nodes.map((node) => hostOf(node)).join(",");
  if (target.kind === "single") return target.url.startsWith("/") ? target.url : hostOf(target.url);
  return nameOfSentinels(target.options);
}

function nameOfConnection(connection: CountersConnection): string {
  if (isCluster(connection)) return "the cluster";
  const { path, host = "localhost", port = 6379, sentinels, name = "" } = connection.options;
  if (sentinels) return nameOfSentinels({ sentinels, name });
  return path ?? hostPort(host, port);
}

/** An app may hand over an instance of its own copy of ioredis, so the class says nothing. */
function isCluster(connection: CountersConnection): connection is Cluster {
  return connection.isCluster;
}

function nameOfSentinels({
  sentinels,
  name,
}: {
  sentinels: readonly { host?: string | undefined; port?: number | undefined }[];
  name: string;
}): string {
  return `${sentinels.map(({ host = "localhost", port = 26_379 }) => hostPort(host, port)).join(",")}/${name}`;
}

function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || 6379}`;
}

const hostPort = (host: string, port: number) => `${host.includes(":") ? `[${host}]` : host}:${port}`;

function readFailure(error: Error, target: string): FailureFacts {
  const root = rootOf(error);
  const facts = error instanceof ConnectionFailure ? error : { usesTls: false, wasAccepted: true };
  const { name = "", args = [] } = commandOf(root);
  return {
    target,
    text: [codeOf(root), root.message].filter(Boolean).join(" "),
    usesTls: facts.usesTls,
    wasAccepted: facts.wasAccepted,
    command: refusedCommand(root.message) ?? name.toUpperCase(),
    database: name === "select" ? String(args[0]) : "of this number",
  };
}

/** The error inside: of a cluster the last node's, of several addresses the first one's. */
function rootOf(error: Error): Error {
  if (error instanceof ConnectionFailure && error.cause instanceof Error) return rootOf(error.cause);
  if ("lastNodeError" in error && error.lastNodeError instanceof Error) return rootOf(error.lastNodeError);
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? rootOf(first) : error;
}

function codeOf(error: Error): string | undefined {
  return "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** ioredis puts the command beside an error that Redis answered. Its arguments may hold a password. */
function commandOf(error: Error): { name?: string; args?: readonly unknown[] } {
  if (!("command" in error) || typeof error.command !== "object" || error.command === null) return {};
  const { command } = error;
  const name = "name" in command && typeof command.name === "string" ? command.name : "";
  return { name, args: "args" in command && Array.isArray(command.args) ? command.args : [] };
}

/** Redis names a subcommand after a bar: `client|tracking`. */
function refusedCommand(message: string): string | undefined {
  return /run the '([^']+)' command/.exec(message)?.[1]?.replace("|", " ").toUpperCase();
}

/** The first word in capitals: `ECONNRESET`, `CERT_HAS_EXPIRED`. */
function codeIn(text: string): string {
  return /[A-Z][A-Z0-9_]{3,}/.exec(text)?.[0] ?? "no code";
}

const longestMessage = 200;
const mostRead = 5_000;

/** One line of another program's message: cut, and without what may be a password. */
function plain(message: string): string {
  const line = at(message.slice(0, mostRead).split("\n", 1), 0);
  return line
    .replace(/\/\/[^@\s]*@/g, "//")
    .slice(0, longestMessage)
    .replace(/(?<![.\s])[.\s]+$/, "");
}
