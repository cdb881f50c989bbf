import type * as z from "zod/mini";
import { activityHeader, takeActivity } from "./activity.ts";

/** One read of the browser: the key in its cache, and how to fetch it. Fits `useQuery`. */
export interface Query<T> {
  readonly queryKey: readonly unknown[];
  /** Of the route, with its parameters. */
  readonly path: string;
  /** The reply as the schema has it. Undefined: another version of the console has sent it. */
  readonly parse: (reply: unknown) => T | undefined;
  readonly queryFn: (context: { signal?: AbortSignal }) => Promise<T>;
}

/** Why a read failed, in a sentence to show. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  /** 0 when the console did not answer. */
  readonly status: number;
  /** No answer within the time of the read. The console may still be working on it. */
  readonly isLate: boolean;

  constructor(status: number, message: string, { isLate = false }: { readonly isLate?: boolean } = {}) {
    super(message);
    this.status = status;
    this.isLate = isLate;
  }

  /** Asking again may help: no answer, too many requests, or no Redis. */
  get isPassing(): boolean {
    return [0, 429, 503].includes(this.status);
  }
}

/** A read without an answer for this long has failed, in ms. */
const patienceMs = 20_000;

export function query<S extends z.ZodMiniType>(
  queryKey: readonly unknown[],
  path: string,
  reply: S,
  /** Sent as POST: for texts that must not be part of a URL, which proxies log. */
  body?: unknown,
): Query<z.output<S>> {
  const parse = (given: unknown) => reply.safeParse(given).data;
  return {
    ...{ queryKey, path, parse },
    async queryFn({ signal }) {
      const late = AbortSignal.timeout(patienceMs);
      const unanswered = (error: unknown): never => {
        if (error instanceof Error && error.name === "AbortError") throw error;
        const isOwn = late.aborted && !signal?.aborted;
        throw new ReadError(
          0,
          isOwn
            ? `The console did not answer within ${patienceMs / 1_000} s.`
            : "The console does not answer.",
          { isLate: error instanceof Error && error.name === "TimeoutError" },
        );
      };
      const response = await fetch(path, {
        headers: { accept: "application/json", ...(takeActivity() && { [activityHeader]: "1" }) },
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
        cache: "no-store",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      }).catch(unanswered);
      const text = await response.text().catch(unanswered);
      const answer = jsonOf(text);
      if (!response.ok)
        throw new ReadError(
          response.status,
          messageOf(answer) ?? `The console answered with status ${response.status}.`,
        );
      const read = parse(answer);
      if (read !== undefined) return read;
      throw new ReadError(response.status, "The console was updated. Load the page again.");
    },
  };
}

/** A path with the parameters that are set. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const set = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown): string | undefined {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === "string" ? message : undefined;
}

interface Fetched {
  readonly state: { readonly data: unknown; readonly dataUpdateCount: number };
}

const polledMs = 1_000;
/** The time in which a page arrives and starts. Polls begin then. */
const arrivingMs = 30_000;

/** For how long data is fresh. Data that came with the page is not fetched again before the first poll. */
export function freshMs({ state: { data, dataUpdateCount } }: Fetched): number {
  return data !== undefined && dataUpdateCount === 0 ? arrivingMs : polledMs;
}
