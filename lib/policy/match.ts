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
    /** Paths, each with all that lies below it. */
    only: listOf(prefix, 64, "paths").optional(),
    except: listOf(prefix, 64, "paths").optional(),
    methods: listOf(method, 16, "methods").optional(),
    apps: listOf(app, 64, "apps").optional(),
    exceptApps: listOf(app, 64, "apps").optional(),
    who: oneOf(["anyone", "anonymous", "customers"]).default("anyone"),
  },
  { error: "write what the rule matches: { only, except, methods, apps, exceptApps, who }" },
);

export type Match = Readonly<z.output<typeof matchSchema>>;

/** The app that is the console itself. */
export const consoleApp = "console";

/**
 * Does the match take requests of this app at all? The console's pages ask again and again, and whoever would roll a
 * rule back needs them: a rule is for the console only if it says so.
 */
export function isForApp({ apps, exceptApps }: Match, app: string): boolean {
  return (apps?.includes(app) ?? app !== consoleApp) && !exceptApps?.includes(app);
}

/** Is any request left out by where it goes? */
export function isNarrow({ only, except, methods, apps, exceptApps }: Match): boolean {
  return [only, except, methods, apps, exceptApps].some((part) => part !== undefined);
}

/** A path may be read in two ways; in doubt a rule is for the request. A rule for GET is for HEAD too. */
interface Asked {
  readonly path: string;
  readonly otherPath: string;
  readonly method: string;
}

/** What is asked of each request: made once for a rule. */
export function matcher({ only, except, methods, who }: Match) {
  return ({ path, otherPath, method }: Asked, isCustomer: boolean): boolean =>
    (who === "anyone" || isCustomer === (who === "customers")) &&
    (methods === undefined ||
      methods.includes(method === "HEAD" && !methods.includes(method) ? "GET" : method)) &&
    (only === undefined || isUnderAny(only, path) || isUnderAny(only, otherPath)) &&
    (except === undefined || !(isUnderAny(except, path) && isUnderAny(except, otherPath)));
}

function isUnderAny(prefixes: readonly string[], path: string): boolean {
  for (const prefix of prefixes) if (isUnder(prefix, path)) return true;
  return false;
}

/** `/api` covers `/api` and what is below it, but not `/apiary`. */
function isUnder(prefix: string, path: string): boolean {
  if (!path.startsWith(prefix)) return false;
  return path.length === prefix.length || prefix.endsWith("/") || path.charCodeAt(prefix.length) === 47;
}
