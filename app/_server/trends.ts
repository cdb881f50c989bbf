import { atHome } from "../../lib/redis/home.ts";
import type { HitterName } from "../../lib/stats/hitters.ts";
import { Trend } from "../../lib/stats/trend.ts";

/** What counters said of clients while somebody looked: one of it in a process, so that each page knows what another has read. */
export const theTrends = () => atHome("trends", () => new Trend());

interface Counted {
  readonly kind: HitterName["kind"];
  readonly client: string;
  readonly rule: string;
  readonly periodSeconds: number;
}

export const trendName = ({ kind, client, rule, periodSeconds }: Counted) =>
  `${kind} ${client} ${rule} ${periodSeconds}`;
