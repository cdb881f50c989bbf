import type { z } from "zod";

/** What the browser reads: under which key it is kept, and how it is fetched. Fits `useQuery`. */
export interface Query<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal?: AbortSignal }) => Promise<T>;
}

/** Why a read failed, in a sentence to show. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  /** 0 when the console did not answer at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function query<S extends z.ZodType>(
  queryKey: readonly unknown[],
  path: string,
  reply: S,
): Query<z.output<S>> {
  return {
    queryKey,
    async queryFn({ signal }) {
      const response = await fetch(path, {
        headers: { accept: "application/json" },
        cache: "no-store",
        ...(signal && { signal }),
      }).catch((error: unknown) => {
        if (error instanceof Error && error.name === "AbortError") throw error;
        throw new ReadError(0, "The console does not answer.");
      });
      const body: unknown = await response.json().catch(() => undefined);
      if (!response.ok) throw new ReadError(response.status, messageOf(body) ?? "This cannot be read now.");
      const read = reply.safeParse(body);
      if (read.success) return read.data;
      throw new ReadError(response.status, "The console was updated. Load the page again.");
    },
  };
}

/** A path with what is set of the parameters. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const set = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

function messageOf(body: unknown): string | undefined {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === "string" ? message : undefined;
}
