import { ReadError } from "@/lib/queries/query.ts";
import type { Status } from "@/lib/queries/status.ts";

/** Why the status cannot be read. */
export interface Trouble {
  readonly kind: "redis" | "console" | "failed" | "signed-out" | "updated";
  /** Message of the console. */
  readonly message: string;
  /** Start in ms, by the clock of the server or browser that noticed it. */
  readonly since: number;
}

/** State of Sluice, as far as this page knows. */
export interface Standing {
  /** The last status. Undefined before the first answer. */
  readonly known?: Status | undefined;
  readonly trouble?: Trouble | undefined;
}

/** App name of the console. It enforces both lists on itself, so it is a node, but not a connected app. */
const ownApp = "console";

/** Names of the connected apps, sorted. */
export function appsOf({ nodes }: Pick<Status, "nodes">): string[] {
  return [...new Set(nodes.map(({ app }) => app))].filter((app) => app !== ownApp).sort();
}

/**
 * Adds a trouble to the last status. An outage that lasts keeps its start.
 *
 * @param start of a trouble that is new
 */
export function withTrouble({ known, trouble }: Standing, error: unknown, start: number): Standing {
  const next = readTrouble(error, trouble);
  const isSame = trouble?.kind === next.kind || (isOutage(trouble) && isOutage(next));
  return { known, trouble: { ...next, since: trouble && isSame ? trouble.since : start } };
}

type Read = Pick<Trouble, "kind" | "message">;

const isOutage = (trouble: Read | undefined) =>
  trouble?.kind === "redis" || trouble?.kind === "console" || trouble?.kind === "failed";

/** An older answer says nothing about the start of an outage. */
const recentMs = 10_000;

/** The start of an outage, which began after the last answer. All times are of this browser. */
export function startOf(answeredAt: number, now: number): number {
  return now - answeredAt < recentMs ? answeredAt : now;
}

function readTrouble(error: unknown, earlier: Read | undefined): Read {
  if (!(error instanceof ReadError))
    return { kind: "failed", message: "This page cannot reach the console." };
  const { status, message } = error;
  if (status === 401) return { kind: "signed-out", message };
  if (status === 503) return { kind: "redis", message: "Redis does not answer." };
  if (status === 200) return { kind: "updated", message };
  // While Redis is away, other reads wait for it, and this one waits for them in the browser.
  if (error.isLate && earlier?.kind === "redis") return earlier;
  return { kind: status === 0 ? "console" : "failed", message };
}
