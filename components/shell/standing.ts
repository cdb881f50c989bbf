import { ReadError } from "../../lib/queries/query.ts";
import type { Status } from "../../lib/queries/status.ts";

/** Why nothing new is known. */
export interface Trouble {
  readonly kind: "redis" | "console" | "failed" | "signed-out" | "updated";
  /** As the console said it. */
  readonly message: string;
  /** In ms, by the clock of whoever noticed. */
  readonly since: number;
}

/** How Sluice stands, as far as this page knows. */
export interface Standing {
  /** What was heard last; nothing on a page that came up while Redis was away. */
  readonly known?: Status | undefined;
  readonly trouble?: Trouble | undefined;
}

/** What was known stays known; a trouble that lasts keeps its beginning. */
export function withTrouble({ known, trouble }: Standing, error: unknown, now: number): Standing {
  const { kind, message } = readTrouble(error);
  return { known, trouble: { kind, message, since: trouble?.kind === kind ? trouble.since : now } };
}

function readTrouble(error: unknown): Pick<Trouble, "kind" | "message"> {
  if (!(error instanceof ReadError)) return { kind: "failed", message: "This page cannot ask the console." };
  const { status, message } = error;
  if (status === 401) return { kind: "signed-out", message };
  if (status === 503) return { kind: "redis", message: "Redis does not answer." };
  if (status === 200) return { kind: "updated", message };
  return { kind: status === 0 ? "console" : "failed", message };
}
