import { commit } from "../audit/commit.ts";
import { checkReason } from "../audit/reason.ts";
import type { Signed } from "../audit/record.ts";
import { DomainError } from "../errors.ts";
import { parseIp } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import type { Limited } from "./decide.ts";
import { isKey, keyOf } from "./key.ts";
import { parseLimited, readLimited } from "./limited.ts";
import type { Fingerprint } from "./sightings.ts";

/** More would make a record too long. */
export const mostCleared = 200;
const minuteMs = 60_000;
/** A clearing is remembered until what it speaks of is forgotten. */
const clearedForMinutes = 5;

/**
 * Lets clients in again that the edge turns away. What they did until now no longer counts; whoever comes too often
 * again, in another minute, is turned away again.
 */
export async function clearEdge(
  ctx: Signed,
  { clients, reason }: { readonly clients: readonly string[]; readonly reason: string },
): Promise<{ readonly cleared: readonly Fingerprint[] }> {
  checkReason(reason);
  const meant = await findLimited(ctx, clients);
  const cleared: Fingerprint[] = [];
  for (let i = 0; i < meant.length; i += mostCleared)
    cleared.push(...(await letIn(ctx, meant.slice(i, i + mostCleared), reason)));
  return { cleared };
}

async function letIn(ctx: Signed, meant: readonly Limited[], reason: string): Promise<Fingerprint[]> {
  const { decision } = await commit(ctx, {
    action: "edge.clear",
    reason,
    slots: meant.flatMap(({ fingerprint }) => [
      { key: keys.edgeLimited(), field: fingerprint.key, target: sayFingerprint(fingerprint) },
      { key: keys.edgeCleared(), field: fingerprint.key, target: fingerprint.key, isAside: true },
    ]),
    decide({ now, slots }) {
      const writes = meant.flatMap((_, i) => {
        const held = slots[2 * i];
        if (held?.kind !== "string") return [];
        // Redis' clock may have been set back since.
        const minute = Math.max(Math.floor(now / minuteMs), parseLimited(held.value)?.lastOver ?? 0);
        return [
          { slot: 2 * i, to: null },
          { slot: 2 * i + 1, to: { value: String(minute), expiresAt: null } },
        ];
      });
      return { writes, cleared: slots.flatMap(({ value }, i) => (i % 2 ? [] : (parseLimited(value) ?? []))) };
    },
  });
  return decision.cleared.map(({ fingerprint }) => fingerprint);
}

/** By a key, an address, or a whole fingerprint. */
async function findLimited({ redis }: Signed, clients: readonly string[]): Promise<Limited[]> {
  const limited = await readLimited(redis);
  const meant = new Set(clients.map(asWritten));
  const wanted = new Set([...meant].map((client) => (isKey(client) ? client : keyOf(client))));
  const found = limited.filter(({ fingerprint: { key, ip } }) => wanted.has(key) || meant.has(ip));
  if (found.length > 0) return found;
  const whom = clients.length === 1 ? `${clients[0]} is not` : "None of them is";
  throw new DomainError("not-found", `${whom} turned away at the edge. Nothing was changed.`);
}

/** An address as Sluice writes it; a key or a fingerprint as it is. */
function asWritten(client: string): string {
  const address = parseIp(client);
  return address.ok ? address.value : client.trim();
}

export async function forgetCleared(
  redis: Connection,
  cleared: ReadonlyMap<string, number>,
  minute: number,
): Promise<void> {
  const old = [...cleared].flatMap(([key, at]) => (at < minute - clearedForMinutes ? [key] : []));
  if (old.length > 0) await redis.hdel(keys.edgeCleared(), ...old);
}

/** As people know it: "GET shop.example/login from 203.0.113.9". */
export function sayFingerprint({ ip, host, path, method, userAgent }: Fingerprint): string {
  const where = host === undefined ? "everything" : `${method} ${host}${path}`;
  return `${where} from ${ip} as ${userAgent || "no user agent"}`;
}
