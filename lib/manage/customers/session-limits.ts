import { isCustomerId } from "../../enforce/customers/id.ts";
import type { GuardRequest } from "../../enforce/guard/request.ts";
import type { SessionLimits } from "../../enforce/policy/client.ts";
import { plainLevelsSchema } from "../../enforce/policy/levels.ts";
import { sampleFields } from "../../enforce/stats/report.ts";
import type { Connection } from "../../redis/connect.ts";
import { type CustomerId, keys } from "../../redis/keys.ts";
import { listIn, repliesOf } from "../../redis/script.ts";

/** What an app's own session gave a customer with a request, as nodes reported it. */
export interface ReportedSession extends SessionLimits {
  /** In ms of Redis' clock. */
  readonly at: number;
}

/** An app beside others may give nothing: so many samples are looked through. */
const mostSamples = 4;
const classes = ["denied", "passed"] as const;
const places = { at: sampleFields.indexOf("at"), session: sampleFields.indexOf("session") };

/**
 * The last tier or levels that an app's session gave each customer. Undefined where none did, and where nodes keep no samples of
 * the customer: they do so for the customers with most requests of the last hours.
 */
export async function readSessions(
  redis: Connection,
  ids: readonly CustomerId[],
): Promise<(ReportedSession | undefined)[]> {
  if (ids.length === 0) return [];
  const pipeline = redis.pipeline();
  for (const id of ids)
    for (const of of classes) pipeline.lrange(keys.evidence(of, "customer", id), 0, mostSamples - 1);
  const lists = await repliesOf(pipeline);
  return ids.map((_, i) => {
    const samples = [...listIn(lists[2 * i]), ...listIn(lists[2 * i + 1])];
    const found = samples.flatMap((text) => readSession(String(text)) ?? []);
    return found.sort((a, b) => b.at - a.at)[0];
  });
}

export async function lastSession(redis: Connection, id: CustomerId): Promise<ReportedSession | undefined> {
  return (await readSessions(redis, [id]))[0];
}

/** The same as fields of a request. Empty for a request without a customer. */
export async function sessionOf(
  redis: Connection,
  customerId: string | undefined,
): Promise<Pick<GuardRequest, "tier" | "limits">> {
  if (customerId === undefined || !isCustomerId(customerId)) return {};
  const session = await lastSession(redis, customerId);
  return { tier: session?.tier, limits: session?.levels };
}

/** A tier's name begins with a letter, a list of levels is JSON. */
function readSession(text: string): ReportedSession | undefined {
  const values = parsed(text);
  if (!Array.isArray(values)) return undefined;
  const [moment, session] = [values[places.at], values[places.session]];
  if (typeof moment !== "number" || typeof session !== "string") return undefined;
  if (!session.startsWith("[")) return { tier: session, at: moment };
  const levels = plainLevelsSchema.safeParse(parsed(session));
  return levels.success ? { levels: levels.data, at: moment } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
