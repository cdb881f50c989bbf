import { z } from "zod";
import { DomainError } from "../../errors.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { alarmKinds, destinationKinds } from "./kinds.ts";

const schema = z.object({
  name: z.string(),
  kind: z.enum(destinationKinds),
  /** What is shown of its URL, or the email addresses. */
  shown: z.string(),
  /** The kinds of alarms that it gets. */
  alarms: z.array(z.enum(alarmKinds)),
  isOn: z.boolean(),
  by: z.string(),
  at: z.string(),
});

/** Where alarms are sent. The hash of destinations has it without its id. */
export interface Destination extends z.output<typeof schema> {
  readonly id: string;
}

/** What is kept encrypted of it. */
export interface DestinationSecret {
  readonly url?: string | undefined;
  /** Signs the messages of a webhook. */
  readonly signingKey?: string | undefined;
  /** Access token of ntfy. */
  readonly token?: string | undefined;
  readonly to?: readonly string[] | undefined;
}

const secretSchema = z.object({
  url: z.string().optional(),
  signingKey: z.string().optional(),
  token: z.string().optional(),
  to: z.array(z.string()).optional(),
});

/** Most destinations of one Redis. */
export const mostDestinations = 20;

export function writeDestination({ id: _, ...destination }: Destination): string {
  return JSON.stringify(destination);
}

/** All that Sluice wrote, by name. */
export function destinationsIn(hash: Iterable<readonly [id: string, text: string]>): Destination[] {
  const found = [...hash].flatMap(([id, text]) => {
    const parsed = schema.safeParse(parseObject(text));
    return parsed.success ? [{ id, ...parsed.data }] : [];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export async function readDestinations(redis: Connection): Promise<Destination[]> {
  return destinationsIn(Object.entries(await redis.hgetall(keys.alarmDestinations())));
}

/** A destination by its id or its name. */
export async function requireDestination(redis: Connection, named: string): Promise<Destination> {
  const all = await readDestinations(redis);
  const found = all.find(({ id, name }) => id === named || name.toLowerCase() === named.toLowerCase());
  if (found) return found;
  const names = all.map(({ name }) => name).join(", ");
  throw new DomainError(
    "not-found",
    `There is no destination ${JSON.stringify(named.slice(0, 60))}.${names ? ` Destinations are: ${names}.` : ""}`,
  );
}

/** Undefined for what Sluice has not written. */
export function parseSecret(text: string): DestinationSecret | undefined {
  const parsed = secretSchema.safeParse(parseObject(text));
  return parsed.success ? parsed.data : undefined;
}

/** The topic in a URL of ntfy. */
export function topicOf(url: URL): string {
  return url.pathname.split("/").findLast((part) => part !== "") ?? "";
}
