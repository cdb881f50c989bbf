import { z } from "zod";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

/** What a user can ask staff for. */
export const requestKinds = ["block", "unblock", "change"] as const;
export type RequestKind = (typeof requestKinds)[number];

const schema = z.object({
  kind: z.enum(requestKinds),
  /** An address or a range; of a change also a customer, or what else it is about. */
  target: z.string(),
  /** Of a block. */
  ttlMs: z.number().nullable(),
  reason: z.string(),
  by: z.string(),
  /** Role of the user when the request was made. */
  role: z.string(),
  /** ISO */
  at: z.string(),
  /** Undefined while it is open. */
  decision: z
    .object({ is: z.enum(["confirmed", "declined"]), by: z.string(), at: z.string(), word: z.string() })
    .optional(),
});

/** A request of a user to staff. The hash of requests has it without its id. */
export interface UserRequest extends z.output<typeof schema> {
  readonly id: string;
}

/** Most requests that are open, and those of them that one user has made. */
export const mostOpen = 200;
export const mostOfUser = 20;
/** Decided requests that are kept, the newest. */
export const mostDecided = 200;

export function writeRequest({ id: _, ...request }: UserRequest): string {
  return JSON.stringify(request);
}

/** All that Sluice wrote, the newest first. */
export function requestsIn(hash: Iterable<readonly [id: string, text: string]>): UserRequest[] {
  const found = [...hash].flatMap(([id, text]) => {
    const parsed = schema.safeParse(parseObject(text));
    return parsed.success ? [{ id, ...parsed.data }] : [];
  });
  return found.sort((a, b) => (a.at < b.at ? 1 : -1));
}

export async function readRequests(redis: Connection): Promise<UserRequest[]> {
  return requestsIn(Object.entries(await redis.hgetall(keys.requests())));
}

/** "block 203.0.113.7" */
export function sayWish({ kind, target }: Pick<UserRequest, "kind" | "target">): string {
  return `${kind} ${target}`;
}
