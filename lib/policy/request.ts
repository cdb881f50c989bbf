/** What rules look at. A guard's request is one. */
export interface RuledRequest {
  readonly method?: string;
  readonly host?: string;
  readonly path?: string;
  readonly headers?: Headers | Readonly<Record<string, string | string[] | undefined>>;
  readonly user?: string;
  readonly cost?: number;
}

/** A header by its lower-case name. Node spells names so; other callers may not. */
export function headerOf({ headers }: RuledRequest, name: string): string | undefined {
  if (!headers) return undefined;
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name] ?? otherSpelling(headers, name);
  return Array.isArray(value) ? value.join(", ") : value;
}

type Given = NonNullable<RuledRequest["headers"]>;

/** Frameworks bring their own class, so it is known by what it can do. */
function isHeaders(headers: Given): headers is Headers {
  return typeof headers.get === "function";
}

function otherSpelling(headers: Exclude<Given, Headers>, name: string) {
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
