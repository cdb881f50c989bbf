import type { HitterName } from "../../enforce/stats/fields.ts";
import { Trend } from "../../observe/stats/offenders.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";

/** Readings of counters while a page was open: one object in a process, so that pages share them. */
export const theTrends = () => oncePerProcess("trends", () => new Trend());

interface Counted {
  readonly kind: HitterName["kind"];
  readonly client: string;
  readonly rule: string;
  readonly periodSeconds: number;
}

export const trendName = ({ kind, client, rule, periodSeconds }: Counted) =>
  `${kind} ${client} ${rule} ${periodSeconds}`;
