import type * as z from "zod/mini";
import { problemSchema, problemType } from "../../api/problem.ts";
import { DomainError, type ErrorCode } from "../../errors.ts";

/** What the API of a console is asked with. */
export interface ApiSettings {
  /** Where the console is reached. */
  readonly url: string;
  readonly token: string;
}

interface ApiRequest<T extends z.ZodMiniType> {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: object;
  readonly ifMatch?: string;
  readonly reply: T;
}

/** Longer than the console takes for its longest answer. */
const withinMs = 30_000;

/** Asks the API. An error that it names is thrown as the same error of a command on Redis. */
export async function askApi<T extends z.ZodMiniType>(
  { url, token }: ApiSettings,
  { method, path, query = {}, body, ifMatch, reply }: ApiRequest<T>,
): Promise<z.output<T>> {
  const target = new URL(`api/v1${path}`, url.endsWith("/") ? url : `${url}/`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, value);
  const answer = await fetch(target, {
    method,
    headers: {
      ...{ authorization: `Bearer ${token}`, accept: "application/json" },
      ...(body && { "content-type": "application/json" }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // The token must not follow to another host.
    redirect: "error",
    signal: AbortSignal.timeout(withinMs),
  }).catch((error: unknown) => {
    throw unreachable(url, error);
  });
  const given = await answer.json().catch(() => undefined);
  if (!answer.ok) throw refusalOf(url, answer, given);
  const parsed = reply.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new DomainError(
    "not-configured",
    `The answer of ${placeOf(url)} to ${method} ${path} is not as this version of sluice expects. Install the version of the console.`,
  );
}

/** Settings of the environment. Throws an error that names what is missing. */
export function requireApi({
  apiUrl,
  apiToken,
}: {
  apiUrl?: string | undefined;
  apiToken?: string | undefined;
}): ApiSettings {
  if (apiUrl === undefined || !URL.canParse(apiUrl) || !/^https?:$/.test(new URL(apiUrl).protocol))
    throw new DomainError("not-configured", "SLUICE_URL is not a URL that begins with https:// or http://.", {
      SLUICE_URL: "where the console is reached",
    });
  if (apiToken === undefined)
    throw new DomainError(
      "not-configured",
      "SLUICE_API_TOKEN is not set. With SLUICE_URL, the command sends this token to the console. An admin creates it on Settings, or with sluice token add.",
      { SLUICE_API_TOKEN: "a token of the API" },
    );
  return { url: apiUrl, token: apiToken };
}

const codes: readonly ErrorCode[] = [
  ...(["bad-input", "lockout", "needs-confirmation", "not-allowed", "not-found"] as const),
  ...(["changed-since", "not-configured", "too-busy", "redis-unavailable"] as const),
];

function refusalOf(url: string, { status, headers }: Response, given: unknown): DomainError {
  const isProblem = headers.get("content-type")?.startsWith(problemType) ?? false;
  const parsed = problemSchema.safeParse(given);
  if (!isProblem || !parsed.success)
    return new DomainError(
      "not-configured",
      `${placeOf(url)} answered with status ${status}, and not as a console of Sluice does. Check SLUICE_URL.`,
    );
  const { code, detail, errors = [] } = parsed.data;
  const known = codes.find((one) => one === code);
  const fields = Object.fromEntries(errors.map(({ field, detail: says }) => [field, says]));
  return new DomainError(known ?? (status < 500 ? "not-allowed" : "redis-unavailable"), detail, fields);
}

function unreachable(url: string, cause: unknown): DomainError {
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
  const message = `The console at ${placeOf(url)} is not reachable: ${why}. Check that it is running and that SLUICE_URL is right.`;
  return new DomainError("redis-unavailable", message, {}, { cause });
}

/** Without a password that the URL may have. */
const placeOf = (url: string): string => new URL(url).host;
