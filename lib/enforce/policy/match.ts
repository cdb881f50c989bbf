import { z } from "zod";
import { listOf, oneOf, text } from "./bounds.ts";

const prefix = text(
  /^\/[^\p{Cc}\s?#]{0,255}$/u,
  'write how a path begins: "/" first, no query, no spaces, at most 256 characters',
);
const method = text(/^[A-Za-z]{1,16}$/, "write an HTTP method such as GET").transform((name) =>
  name.toUpperCase(),
);
const app = text(/^[^\p{Cc}]{1,64}$/u, "write an app's name, at most 64 characters");

/** Which requests a rule is for; what is left out does not matter to it. */
export const matchSchema = z.strictObject(
  {
    /** Paths, each with all that lies below it, in upper or lower case. */
    only: listOf(prefix, 64, "paths").optional(),
    /** A path of `only` also matches with a file extension: `/login.json`. */
    anyExtension: z.boolean({ error: "write true or false" }).optional(),
    /** Paths, each with all that lies below it, in exactly this case. */
    except: listOf(prefix, 64, "paths").optional(),
    methods: listOf(method, 16, "methods").optional(),
    /** Requests that may run a Server Action of Next, whatever page they are posted to. */
    serverAction: z.boolean({ error: "write true or false" }).optional(),
    apps: listOf(app, 64, "apps").optional(),
    exceptApps: listOf(app, 64, "apps").optional(),
    who: oneOf(["anyone", "anonymous", "customers"]).default("anyone"),
  },
  {
    error:
      "write what the rule matches: { only, anyExtension, except, methods, serverAction, apps, exceptApps, who }",
  },
);

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
