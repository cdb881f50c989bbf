import type { Standing } from "../policy/standing.ts";
import type { Connection } from "../redis/connect.ts";
import { type CustomerId, keys } from "../redis/keys.ts";
import { readOverride } from "./override.ts";
import { readTier } from "./tier.ts";

/** The same question without a replica; nothing of a customer of whom Redis knows nothing. */
export async function askStanding(redis: Connection, id: CustomerId): Promise<Standing | undefined> {
  const [text, fields] = await Promise.all([
    redis.get(keys.tier(id)).catch(otherwise(null)),
    redis.hgetall(keys.override(id)).catch(otherwise({})),
  ]);
  const tier = text === null ? undefined : readTier(text);
  const override = readOverride(Object.entries(fields)).levels;
  return tier === undefined && override === undefined ? undefined : { tier, override };
}

/** What stands there is of another type, and so says nothing. */
function otherwise<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && error.message.startsWith("WRONGTYPE")) return nothing;
    throw error;
  };
}
