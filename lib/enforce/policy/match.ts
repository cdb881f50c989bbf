import * as z from "zod/mini";
import { listOf, oneOf, text } from "./bounds.ts";
import type { Rule } from "./schema.ts";

const prefix = text(
  /^\/[^\p{Cc}\s?#]{0,255}$/u,
  'write how a path begins: "/" first, no query, no spaces, at most 256 characters',
);
const method = text(/^[A-Za-z]{1,16}$/, "write an HTTP method such as GET").check(z.toUpperCase());
const app = text(/^[^\p{Cc}]{1,64}$/u, "write an app's name, at most 64 characters");

export const matchFields = {
  /** Paths, each with all that lies below it, in upper or lower case. */
  only: z.optional(listOf(prefix, 64, "paths")),
  /** A path of `only` also matches with a file extension: `/login.json`. */
  anyExtension: z.optional(z.boolean({ error: "write true or false" })),
  /** Paths, each with all that lies below it, in exactly this case. */
  except: z.optional(listOf(prefix, 64, "paths")),
  methods: z.optional(listOf(method, 16, "methods")),
  /** Requests that may run a Server Action of Next, whatever page they are posted to. */
  serverAction: z.optional(z.boolean({ error: "write true or false" })),
  apps: z.optional(listOf(app, 64, "apps")),
  exceptApps: z.optional(listOf(app, 64, "apps")),
  who: z._default(oneOf(["anyone", "anonymous", "customers"]), "anyone"),
};

/** Which requests a rule is for; what is left out does not matter to it. */
export const matchSchema = z.strictObject(matchFields, {
  error: `write what the rule matches: { ${Object.keys(matchFields).join(", ")} }`,
});

export type Match = Readonly<z.output<typeof matchSchema>>;

/** The app that is the console itself. */
export const consoleApp = "console";

/**
 * Does the match take requests of this app at all? The console's pages poll, and rolling a rule back
 * takes them: a rule is for the console only if it says so.
 */
export function isForApp({ apps, exceptApps }: Match, app: string): boolean {
  return (apps?.includes(app) ?? app !== consoleApp) && !exceptApps?.includes(app);
}

/** Is any request left out by what it asks for? */
export function isNarrow({ only, except, methods, serverAction, apps, exceptApps }: Match): boolean {
  return (
    serverAction === true || [only, except, methods, apps, exceptApps].some((part) => part !== undefined)
  );
}

/** Which requests a rule counts, by what, and at what cost. Rules with one key count the same clients by the same amounts. */
export interface Scope {
  /** The same text in every process and browser. */
  readonly key: string;
  /** Length of the buckets that the rule's periods can be made of. */
  readonly seconds: 10 | 60;
  /** Takes most requests of an app, by the address. */
  readonly isBroad: boolean;
  /** Customers without limits of their own are counted by their ids. */
  readonly isAnonymous: boolean;
}

/** Counts the clients of one scope, for statistics. */
export interface ScopeCounter {
  readonly scope: Scope;
  /** @param nowMs of Redis' clock: a request belongs to its own window, however late it is reported */
  add(client: string, amount: number, nowMs: number): void;
  /**
   * A request of an address that a broad scope counted. Limits for anonymous clients count a signed-in customer by its id.
   * @param slot that the address has among the busiest
   */
  see(slot: number, customerId: string | undefined): void;
}

/** Length of the buckets that windows of a period are made of. Only the last hour has those of ten seconds. */
export function bucketSecondsOf(periodSeconds: number): Scope["seconds"] {
  return periodSeconds % 60 === 0 || periodSeconds > 600 ? 60 : 10;
}

/** Undefined for a rule without limits per period, and for the limits of tiers. */
export function scopeOf(rule: Rule): Scope | undefined {
  const { match, client, levels, cost, requireBasic, ipv6Prefix } = rule;
  if (levels === "tier") return undefined;
  const periods = levels.flatMap((level) => ("periodSeconds" in level ? [level.periodSeconds] : []));
  if (periods.length === 0) return undefined;
  const { only, anyExtension, except, methods, serverAction, apps, exceptApps, who } = match;
  const facts = [only, anyExtension, except, methods, serverAction, apps, exceptApps, who];
  const seconds = periods.some((period) => bucketSecondsOf(period) === 10) ? 10 : 60;
  const isPlain = cost === 1 && !requireBasic && !serverAction && !only && !methods;
  return {
    key: digitsOf(JSON.stringify([...facts, client, ipv6Prefix, cost, requireBasic])),
    seconds,
    isBroad: isPlain && client === "ip" && ipv6Prefix === 64 && who !== "customers" && seconds === 60,
    isAnonymous: who === "anonymous",
  };
}

/** FNV-1a, twice: a browser has no other digest that answers at once. */
function digitsOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ (code + i), 0x01000193);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

/** A path can be read in several ways: if one of them matches, the rule is for the request. A rule for GET is for HEAD too. */
interface MatchInput {
  readonly path: string;
  readonly otherPath: string;
  /** Undefined for a path without parameters. */
  readonly bare: Pick<MatchInput, "path" | "otherPath"> | undefined;
  /** In upper case. */
  readonly method: string;
  readonly isServerAction: boolean;
}

/** Compiles a rule's match once. The result is called for each request. */
export function matcher({ only, anyExtension = false, except, methods, serverAction = false, who }: Match) {
  // Servers that ignore case serve /LOGIN as /login. What an exception means is served as it is written.
  const wanted = only?.map((prefix) => prefix.toLowerCase());
  const isWanted = wanted && ((path: string) => isUnderAny(wanted, path.toLowerCase(), anyExtension));
  const isExcepted = except && ((path: string) => isUnderAny(except, path));
  return (asked: MatchInput, isCustomer: boolean): boolean => {
    return (
      (who === "anyone" || isCustomer === (who === "customers")) &&
      (methods === undefined || isAmong(methods, asked.method)) &&
      (!serverAction || asked.isServerAction) &&
      (isWanted === undefined || someReading(asked, isWanted)) &&
      (isExcepted === undefined || !everyReading(asked, isExcepted))
    );
  };
}

/** The same for a rule that takes requests out of all limits: in doubt, it does not. The path has to match as it was sent, and by every reading. */
export function sureMatcher(match: Match) {
  const { only, anyExtension = false, except, ...others } = match;
  const isOther = matcher({ ...others, only: undefined, except: undefined });
  const avoided = except?.map((prefix) => prefix.toLowerCase());
  const isWanted = only && ((path: string) => isUnderAny(only, path, anyExtension));
  const isAvoided = avoided && ((path: string) => isUnderAny(avoided, path.toLowerCase()));
  return (asked: MatchInput & { readonly rawPath: string }, isCustomer: boolean): boolean =>
    isOther(asked, isCustomer) &&
    (isWanted === undefined || (isWanted(asked.rawPath) && everyReading(asked, isWanted))) &&
    (isAvoided === undefined || !someReading(asked, isAvoided));
}

function isAmong(methods: readonly string[], method: string): boolean {
  return methods.includes(method === "HEAD" && !methods.includes(method) ? "GET" : method);
}

function someReading({ path, otherPath, bare }: MatchInput, test: (path: string) => boolean): boolean {
  if (test(path) || (otherPath !== path && test(otherPath))) return true;
  return bare !== undefined && (test(bare.path) || test(bare.otherPath));
}

function everyReading({ path, otherPath, bare }: MatchInput, test: (path: string) => boolean): boolean {
  if (!test(path) || (otherPath !== path && !test(otherPath))) return false;
  return bare === undefined || (test(bare.path) && test(bare.otherPath));
}

function isUnderAny(prefixes: readonly string[], path: string, hasAnyExtension = false): boolean {
  for (const prefix of prefixes) {
    if (isUnder(prefix, path) || (hasAnyExtension && isWithExtension(prefix, path))) return true;
  }
  return false;
}

/** `/api` covers `/api` and what is below it, but not `/apiary`. */
function isUnder(prefix: string, path: string): boolean {
  if (!path.startsWith(prefix)) return false;
  return path.length === prefix.length || prefix.endsWith("/") || path.charCodeAt(prefix.length) === slash;
}

const slash = 47;
const extension = /^\.[^./]{1,16}\/?$/;

/** `/login` and `/login.json`: some frameworks take the extension for the wanted format. */
function isWithExtension(prefix: string, path: string): boolean {
  return path.startsWith(prefix) && extension.test(path.slice(prefix.length));
}
