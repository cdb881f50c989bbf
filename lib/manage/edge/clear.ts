import { at } from "../../at.ts";
import type { Fingerprint } from "../../enforce/edge/sightings.ts";
import { isKey, keyOf } from "../../enforce/policy/fingerprint.ts";
import { DomainError } from "../../errors.ts";
import { parseIp } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { checkReason } from "../audit/checks.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import type { Limited } from "./decide.ts";
import { parseLimited, readLimited } from "./limited.ts";

/** Clients in one audit record: more would make it too long. */
export const mostCleared = 200;
const minuteMs = 60_000;
/** A clearing is stored until the counts before it have expired. */
const clearedForMinutes = 5;

/**
 * Stops the edge from denying clients. Their earlier requests no longer count. A client that exceeds the limit in a later
 * minute is denied again.
 */
export async function clearEdge(
  ctx: Signed,
  { clients, reason }: { readonly clients: readonly string[]; readonly reason: string },
): Promise<{ readonly cleared: readonly Fingerprint[] }> {
  checkReason(reason);
  const found = await findLimited(ctx, clients);
  const cleared: Fingerprint[] = [];
  for (let i = 0; i < found.length; i += mostCleared)
    cleared.push(...(await clearSome(ctx, found.slice(i, i + mostCleared), reason)));
  return { cleared };
}

async function clearSome(ctx: Signed, limited: readonly Limited[], reason: string): Promise<Fingerprint[]> {
  const { decision } = await commit(ctx, {
    action: "edge.clear",
    reason,
    slots: limited.flatMap(({ fingerprint }) => [
      { key: keys.edgeLimited(), field: fingerprint.key, target: sayFingerprint(fingerprint) },
      { key: keys.edgeCleared(), field: fingerprint.key, target: fingerprint.key, isAside: true },
    ]),
    decide({ now, slots }) {
      const writes = limited.flatMap((_, i) => {
        const stored = at(slots, 2 * i);
        if (stored.kind !== "string") return [];
        // Redis' clock may have been set back since the last minute over the limit.
        const minute = Math.max(Math.floor(now / minuteMs), parseLimited(stored.value)?.lastOver ?? 0);
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

/** Finds limited clients by key, address, or whole fingerprint. */
async function findLimited({ redis }: Signed, clients: readonly string[]): Promise<Limited[]> {
  const limited = await readLimited(redis);
  const texts = new Set(clients.map(asWritten));
  const wanted = new Set([...texts].map((client) => (isKey(client) ? client : keyOf(client))));
  const found = limited.filter(({ fingerprint: { key, ip } }) => wanted.has(key) || texts.has(ip));
  if (found.length > 0) return found;
  const subject = clients.length === 1 ? `${clients[0]} is not` : "None of these clients is";
  throw new DomainError("not-found", `${subject} denied at the edge. Nothing was changed.`);
}

/** Writes an address as Sluice does. Keeps a key or a fingerprint as it is. */
function asWritten(client: string): string {
  const address = parseIp(client);
  return address.ok ? address.value : client.trim();
}

/** Deletes clearings that no count can refer to. */
export async function forgetCleared(
  redis: Connection,
  cleared: ReadonlyMap<string, number>,
  minute: number,
): Promise<void> {
  const old = [...cleared].flatMap(([key, at]) => (at < minute - clearedForMinutes ? [key] : []));
  if (old.length > 0) await redis.hdel(keys.edgeCleared(), ...old);
}

/** Text for people: "GET shop.example/login from 203.0.113.9". */
export function sayFingerprint({ ip, host, path, method, userAgent }: Fingerprint): string {
  const where = host === undefined ? "everything" : `${method} ${host}${path}`;
  return `${where} from ${ip} as ${userAgent || "no user agent"}`;
}
