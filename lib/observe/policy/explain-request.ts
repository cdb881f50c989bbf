import { type Explanation, explain, type Sources } from "../../enforce/guard/explain.ts";
import { readRules } from "../../enforce/guard/explain-rules.ts";
import type { Scales } from "../../enforce/limits/scales.ts";
import { readFeedLists } from "../../enforce/lists/feeds.ts";
import { findCovering } from "../../enforce/lists/lookup.ts";
import type { ProtectedRange } from "../../enforce/lists/protected.ts";
import type { Ip } from "../../ip/parse.ts";
import { sessionOf } from "../../manage/customers/session-limits.ts";
import type { Connection } from "../../redis/connect.ts";
import { headersWith } from "./explain-value.ts";

export interface ExplainSources {
  readonly redis: Connection;
  readonly scales: Scales;
  /** How far rules may be exceeded, and how far they were. */
  readonly readSlack: NonNullable<Sources["readSlack"]>;
  readonly protectedRanges: readonly ProtectedRange[];
}

/** A request whose verdict is explained. */
export interface ExplainedRequest {
  readonly ip: Ip;
  readonly app: string;
  readonly path: string;
  readonly method: string;
  readonly customerId?: string;
  /** By their lower-case names, for rules that match or count by headers, user agents and known tools. */
  readonly headers?: Readonly<Record<string, string>>;
  /** By two letters, in upper case. Without it, the request is in no country. */
  readonly country?: string;
  /** Whether it is of a verified bot. Without it, that is unknown. */
  readonly verifiedBot?: boolean;
  /** Value of every header and cookie that a rule counts by. */
  readonly value?: string;
}

/** Every step of a check, read from Redis. Writes nothing and counts nothing. */
export async function explainRequest(
  { redis, scales, readSlack, protectedRanges }: ExplainSources,
  { ip, app, value, ...given }: ExplainedRequest,
): Promise<Explanation> {
  const request = { ...given, ...(await sessionOf(redis, given.customerId)) };
  const headersOf =
    value === undefined
      ? undefined
      : (policy: Parameters<typeof headersWith>[0]) => ({
          ...given.headers,
          ...headersWith(policy, value),
        });
  return explain(
    {
      readEntries: (client) => findCovering(redis, client, protectedRanges),
      readFeeds: () => readFeedLists(redis, protectedRanges),
      readRules: (client, facts) => readRules({ redis, scales, app, facts }, request, client, headersOf),
      readSlack,
    },
    { ip },
  );
}
