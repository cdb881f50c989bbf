import { DomainError } from "../errors.ts";

/** Where a role's data lives: one server, a set watched by Sentinel, or (counters alone) a cluster. */
export type Target =
  | { kind: "single"; url: string }
  | { kind: "sentinel"; options: SentinelOptions }
  | { kind: "cluster"; nodes: string[]; options: TargetCredentials };

/** Of one node, for all: those that the cluster names itself come without. */
export interface TargetCredentials {
  username?: string;
  password?: string;
  tls?: object;
}

export interface SentinelOptions {
  name: string;
  sentinels: { host: string; port: number }[];
  username?: string;
  password?: string;
  db?: number;
  tls?: object;
  enableTLSForSentinelMode?: boolean;
}

/**
 * Reads `redis://…`, `rediss://…`, a socket's path, `redis+sentinel://[user:password@]host:port,host:port/<master>[/<db>]`,
 * or a comma list of servers, which is a cluster.
 */
export function readTarget(text: string, variable: string): Target {
  const url = text.trim();
  if (/^rediss?\+sentinel:\/\//.test(url)) return { kind: "sentinel", options: readSentinels(url, variable) };
  if (url.includes(",")) return readCluster(url, variable);
  if (url.startsWith("/")) return { kind: "single", url };
  if (!isServerUrl(url)) throw unreadable(variable, `${expected}${encodingHint(url)}`);
  // ioredis would ask for database NaN, and the answer would end the process.
  if (!/^\/?\d*$/.test(new URL(url).pathname))
    throw unreadable(variable, "the database after the host is not a number");
  return { kind: "single", url };
}

const expected = "expected redis://host:port, rediss://…, redis+sentinel://… or a socket's path";

function encodingHint(url: string): string {
  return url.includes("@") ? ". Characters such as # / ? @ in a password are written as %23 %2F %3F %40" : "";
}

function readCluster(text: string, variable: string): Target {
  const nodes = text.split(",").map((part) => readNode(part, variable));
  const urls = nodes.map((node) => new URL(node));
  const { username = "", password = "" } = urls.find((url) => url.password !== "") ?? {};
  const options = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(urls.some(({ protocol }) => protocol === "rediss:") && { tls: {} }),
  };
  return { kind: "cluster", nodes, options };
}

/** Where a Redis is, without user and password. */
export function placeOf(url: string, variable = "REDIS_URL"): string {
  const target = readTarget(url, variable);
  if (target.kind === "cluster") return `${target.nodes.length} cluster nodes`;
  if (target.kind === "sentinel") return `Sentinel's ${target.options.name}`;
  return target.url.startsWith("/") ? target.url : new URL(target.url).host;
}

function readNode(part: string, variable: string): string {
  const text = part.trim();
  const url = /^rediss?:\/\//.test(text) ? text : `redis://${text}`;
  if (!isServerUrl(url)) throw unreadable(variable, "one part of the list is not host:port");
  return url;
}

function readSentinels(url: string, variable: string): SentinelOptions {
  const parts = /^redis(s?)\+sentinel:\/\/(?:([^@/]*)@)?([^/]+)\/([^/?]+)(?:\/(\d+))?$/.exec(url);
  if (!parts)
    throw unreadable(variable, "expected redis+sentinel://host:port,host:port/<name of the master>");
  const [, tls, credentials = "", hosts = "", name = "", db] = parts;
  const [user, password] = credentials.includes(":") ? splitOnce(credentials, ":") : ["", credentials];
  return {
    name: decodeURIComponent(name),
    sentinels: hosts.split(",").map((host) => readHost(host, variable)),
    ...(user && { username: decodeURIComponent(user) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(db && { db: Number(db) }),
    ...(tls && { tls: {}, enableTLSForSentinelMode: true }),
  };
}

function readHost(text: string, variable: string): { host: string; port: number } {
  const url = `redis://${text.trim()}`;
  if (!isServerUrl(url)) throw unreadable(variable, "one of the Sentinels is not host:port");
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 26379) };
}

function isServerUrl(url: string): boolean {
  return /^rediss?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== "";
}

function splitOnce(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return [text.slice(0, index), text.slice(index + at.length)];
}

/** Says what was wrong without repeating the address, which may hold a password. */
function unreadable(variable: string, expectation: string): DomainError {
  return new DomainError("bad-input", `${variable} cannot be read: ${expectation}.`, {
    [variable]: expectation,
  });
}
