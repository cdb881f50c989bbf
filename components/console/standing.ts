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

/** Adds a trouble to the last status. A trouble that lasts keeps its start. */
export function withTrouble({ known, trouble }: Standing, error: unknown, now: number): Standing {
  const { kind, message } = readTrouble(error);
  return { known, trouble: { kind, message, since: trouble?.kind === kind ? trouble.since : now } };
}

function readTrouble(error: unknown): Pick<Trouble, "kind" | "message"> {
  if (!(error instanceof ReadError))
    return { kind: "failed", message: "This page cannot reach the console." };
  const { status, message } = error;
  if (status === 401) return { kind: "signed-out", message };
  if (status === 503) return { kind: "redis", message: "Redis does not answer." };
  if (status === 200) return { kind: "updated", message };
  return { kind: status === 0 ? "console" : "failed", message };
}
