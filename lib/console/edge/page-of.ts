import type { Limited } from "../../manage/edge/decide.ts";
import type { LimitedClient, LimitedReply } from "../../queries/edge.ts";

interface LimitedSearch {
  readonly q: string;
  readonly from: number;
  readonly to: number;
}

/** The part that is looked at, of all that the search finds in what is shown of them. */
export function pageOf(limited: readonly Limited[], { q, from, to }: LimitedSearch): LimitedReply {
  const found = q === "" ? limited : limited.filter((one) => isFound(one, q.toLowerCase()));
  const ofAddress = new Map<string, number>();
  for (const { fingerprint } of limited)
    ofAddress.set(fingerprint.ip, (ofAddress.get(fingerprint.ip) ?? 0) + 1);
  const rows = found.slice(from, to).map(
    ({ fingerprint, since, until, count, limit, at = [] }): LimitedClient => ({
      ...fingerprint,
      ...{ since, until, count, limit, at: [...at] },
      others: (ofAddress.get(fingerprint.ip) ?? 1) - 1,
    }),
  );
  return { total: limited.length, matching: found.length, offset: from, rows };
}

/** Its key is found by its beginning: any letter occurs in one. */
function isFound({ fingerprint }: Limited, q: string): boolean {
  const { key, ip, userAgent, host, path, method } = fingerprint;
  const where = host === undefined ? "everything" : `${method} ${host}${path}`;
  return (
    ip.includes(q) ||
    where.toLowerCase().includes(q) ||
    userAgent.toLowerCase().includes(q) ||
    (q.length >= 8 && key.startsWith(q))
  );
}
