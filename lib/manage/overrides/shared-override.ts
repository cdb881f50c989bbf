import { z } from "zod";
import { groupProblem, inOrderOfWinning, isPattern, patternProblem } from "../../enforce/customers/id.ts";
import { DomainError } from "../../errors.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import type { Slot } from "../../redis/snapshot.ts";

const membersSchema = z.object({
  /** Names the ids. */
  digest: z.string().regex(/^[0-9a-f]{32}$/),
  count: z.number(),
  /** Ids, compared with those before. */
  added: z.number(),
  removed: z.number(),
});

const schema = z.object({
  levels: z.array(z.object({ limit: z.number(), periodSeconds: z.number() })).optional(),
  /** In place of levels: a tier of the policy. */
  tier: z.string().optional(),
  /** Ms of Redis' clock; null for never. */
  expiresAt: z.number().nullable(),
  /** Of a group. */
  members: membersSchema.optional(),
  reason: z.string(),
  by: z.string(),
  via: z.string(),
  at: z.string(),
});

/** The override of a group of customers, or of all whose ids match a pattern, as Redis keeps it. */
export interface SharedOverrideDefinition extends z.output<typeof schema> {
  /** The name of the group, or the pattern: it has a star. */
  readonly name: string;
}

/** Of one Redis. Each pattern is a look at every customer that a node meets. */
export const mostPatterns = 50;
export const mostGroups = 20;
/** Customers of one group. */
export const mostMembers = 5_000;
/** How long ids that are no longer in use are kept, so that a change can be undone. */
export const keptMs = 8 * 86_400_000;

/** Throws unless the text is a pattern, or the name of a group. */
export function requireName(text: string): string {
  const name = text.trim();
  const problem = isPattern(name) ? patternProblem(name) : groupProblem(name);
  if (problem === undefined) return name;
  throw new DomainError("bad-input", `${JSON.stringify(name.slice(0, 80))}: ${problem}.`, { name: problem });
}

export const slotOfShared = (name: string): Slot => ({
  key: keys.sharedOverrides(),
  field: name,
  target: name,
});

export function writeShared({ name: _, ...override }: SharedOverrideDefinition): string {
  return JSON.stringify(override);
}

/** Undefined for what Sluice has not written. */
export function parseShared(name: string, text: string): SharedOverrideDefinition | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? { name, ...parsed.data } : undefined;
  } catch {
    return undefined;
  }
}

/** All of them in the order in which they win: groups by name, then the most exact pattern first. */
export async function readShared(redis: Connection): Promise<SharedOverrideDefinition[]> {
  const found = Object.entries(await redis.hgetall(keys.sharedOverrides())).flatMap(
    ([name, text]) => parseShared(name, text) ?? [],
  );
  return found.sort(({ name: one }, { name: other }) => inOrderOfWinning(one, other));
}

export async function requireShared(redis: Connection, name: string): Promise<SharedOverrideDefinition> {
  const found = parseShared(name, (await redis.hget(keys.sharedOverrides(), name)) ?? "");
  if (found) return found;
  throw noShared(name);
}

export function noShared(name: string): DomainError {
  const what = isPattern(name) ? "pattern" : "group";
  return new DomainError("not-found", `There is no override of ${what} ${name.slice(0, 80)}.`);
}
