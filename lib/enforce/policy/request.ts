import type { ClientAddress } from "../../ip/block.ts";
import type { Ip } from "../../ip/parse.ts";
import { type CustomerId, clientOfId } from "../../redis/keys.ts";
import type { Caller, NetworkLengths } from "./client.ts";
import { broadFingerprint, standardFingerprint } from "./fingerprint.ts";
import type { Level } from "./levels.ts";

/** What an Authorization header says of a user by HTTP Basic (RFC 7617); false when it is there and says nothing of the kind. */
export function basicUser(authorization: string | undefined): string | false | undefined {
  if (authorization === undefined) return undefined;
  const gap = authorization.indexOf(" ");
  if (gap < 0 || authorization.slice(0, gap).toLowerCase() !== "basic") return false;
  const pair = decode(authorization.slice(gap + 1).trim());
  const colon = pair?.indexOf(":") ?? -1;
  // Without a name there is no client to count.
  return pair === undefined || colon < 1 ? false : pair.slice(0, colon);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Older clients write Latin-1; neither has control characters. */
function decode(token: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64");
  const pair = fromUtf8(bytes) ?? bytes.toString("latin1");
  return /\p{Cc}/u.test(pair) ? undefined : pair;
}

function fromUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** One request as rules see it. What is dear to find out is found out once, and only if a rule asks. */
export class Subject {
  readonly request: RuledRequest;
  readonly address: ClientAddress;
  readonly customer: CustomerId | undefined;
  /** A signed-in customer that has limits of its own; without them, it is as good as anonymous. */
  readonly isCustomer: boolean;
  #paths: Paths | undefined;
  #basicUser: string | false | undefined | null = null;

  constructor(request: RuledRequest, address: ClientAddress, caller: Caller | undefined) {
    this.request = request;
    this.address = address;
    this.customer = caller?.id;
    this.isCustomer = caller?.limits !== undefined;
  }

  /** In upper case, as most servers read it. */
  get method(): string {
    const { method } = this.request;
    return typeof method === "string" ? method.toUpperCase() : "GET";
  }

  /** By its lower-case name. */
  header(name: string): string | undefined {
    return headerOf(this.request, name);
  }

  get rawPath(): string {
    return this.#readPaths().raw;
  }

  get path(): string {
    return this.#readPaths().path;
  }

  get otherPath(): string {
    return this.#readPaths().otherPath;
  }

  get bare(): Pick<Paths, "path" | "otherPath"> | undefined {
    return this.#readPaths().bare;
  }

  #readPaths(): Paths {
    this.#paths ??= pathsOf(this.request);
    return this.#paths;
  }

  get ip(): Ip {
    return this.address.ip;
  }

  /** The address, or the network it is counted with. */
  network(lengths: NetworkLengths): string {
    return this.address.within(lengths);
  }

  /** The path as a client is counted by it: one for all its spellings. A plain path is as it was sent, as rack-attack counts it. */
  get countedPath(): string {
    return this.bare?.path ?? this.path;
  }

  get isServerAction(): boolean {
    return isServerAction(this.request, this.method);
  }

  /** Who limits for anonymous clients count: the customer by its id, else the address or its network. */
  anonymous(lengths: NetworkLengths): string {
    return this.customer !== undefined && !this.isCustomer
      ? clientOfId(this.customer)
      : this.network(lengths);
  }

  /** The user that the app names, else the one of the header; false for a header that names none. */
  get user(): string | false | undefined {
    if (typeof this.request.user === "string") return this.request.user;
    if (this.#basicUser === null) this.#basicUser = basicUser(headerOf(this.request, "authorization"));
    return this.#basicUser;
  }

  get standard(): string {
    return standardFingerprint(this.request.host ?? "", this.rawPath, this.method, this.ip, this.userAgent);
  }

  get broad(): string {
    return broadFingerprint(this.ip, this.userAgent);
  }

  get userAgent(): string {
    return headerOf(this.request, "user-agent") ?? "";
  }
}

/** The readings of a request's path. */
interface Paths {
  readonly raw: string;
  readonly path: string;
  readonly otherPath: string;
  readonly bare: { readonly path: string; readonly otherPath: string } | undefined;
}

function pathsOf(request: RuledRequest): Paths {
  const raw = rawPath(request);
  if (!hasReadings.test(raw)) return { raw, path: raw, otherPath: raw, bare: undefined };
  const bare = withoutParameters(raw);
  return {
    ...{ raw, path: readPath(raw), otherPath: readSegments(raw) },
    bare: bare === undefined ? undefined : { path: readPath(bare), otherPath: readSegments(bare) },
  };
}

/** What rules look at. A guard's request is one. */
export interface RuledRequest {
  readonly method?: string | undefined;
  readonly host?: string | undefined;
  readonly path?: string | undefined;
  readonly headers?: Headers | Readonly<Record<string, string | string[] | undefined>> | undefined;
  readonly user?: string | undefined;
  /** The customer's, as the app's session knows them. */
  readonly tier?: string | undefined;
  readonly limits?: readonly Level[] | undefined;
  readonly cost?: number | undefined;
  /** Of the client, by two letters, and whether it is a verified bot: as the app knows it. */
  readonly country?: string | undefined;
  readonly verifiedBot?: boolean | undefined;
}

/** A header by its lower-case name. Node spells names so; other callers may not. */
export function headerOf({ headers }: RuledRequest, name: string): string | undefined {
  if (!headers) return undefined;
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name] ?? otherSpelling(headers, name);
  return Array.isArray(value) ? value.join(", ") : value;
}

type RequestHeaders = NonNullable<RuledRequest["headers"]>;

/** Frameworks bring their own class, so it is known by what it can do. */
function isHeaders(headers: RequestHeaders): headers is Headers {
  return typeof headers.get === "function";
}

function otherSpelling(headers: Exclude<RequestHeaders, Headers>, name: string) {
  for (const key in headers) {
    if (key.length === name.length && key.toLowerCase() === name) return headers[key];
  }
  return undefined;
}

export function cookieOf(request: RuledRequest, name: string): string | undefined {
  const cookies = headerOf(request, "cookie");
  if (cookies === undefined || !cookies.includes(name)) return undefined;
  for (const pair of cookies.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The path as it was sent, without its query. */
export function rawPath({ path }: RuledRequest): string {
  if (typeof path !== "string") return "/";
  const end = path.indexOf("?");
  return end < 0 ? path : path.slice(0, end);
}

/** What follows the host, where a target names it. As it was sent: an edge strips the host alone. */
export function withoutHost(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
}

/** The path with every separator resolved, also encoded ones: how some servers read it. */
export function readPath(raw: string): string {
  return isPlain(raw) ? raw : resolved(raw, decoded(raw).replaceAll("\\", "/").split("/"));
}

/** The path segment by segment, where an encoded separator is a letter like any other: how routers read it. */
export function readSegments(raw: string): string {
  return isPlain(raw) ? raw : resolved(raw, raw.split("/").map(decoded));
}

/**
 * The path without parameters (`/login;v=1` is `/login`): how servlet containers route it. They cut each segment before
 * they resolve dots. Undefined for a path without parameters.
 */
export function withoutParameters(raw: string): string | undefined {
  return parameterSign.test(raw) ? raw.replace(parameters, "") : undefined;
}

const parameterSign = /;|%3b/i;
const parameters = /(?:;|%3b)[^/]*/gi;

/** Servers read a path without these in one way. */
const hasReadings = /[%;\\]|\/[/.]/;

function isPlain(raw: string): boolean {
  return !raw.includes("%") && !raw.includes("//") && !raw.includes("/.") && !raw.includes("\\");
}

function resolved(raw: string, parts: readonly string[]): string {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  const end = raw.endsWith("/") && kept.length > 0 ? "/" : "";
  return `/${kept.join("/")}${end}`;
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

/**
 * Whether Next could run a Server Action for the request, by the same signs as Next itself: the header that its client
 * sends, or a form that was posted without JavaScript.
 */
export function isServerAction(request: RuledRequest, method: string): boolean {
  if (method !== "POST") return false;
  if (headerOf(request, "next-action") !== undefined) return true;
  return headerOf(request, "content-type")?.toLowerCase().startsWith("multipart/form-data") ?? false;
}
