import { writeRow } from "../../manage/lists/csv.ts";
import type { FeedItem } from "../stats/feed.ts";

/** A denial as JSON has it. */
export function denialOfLog({ at, ip, customerId, ...item }: FeedItem) {
  const { outcome, rule, app, method, host, path, userAgent, standsFor } = item;
  return {
    ...{ at: new Date(at).toISOString(), outcome, client: ip, customer: customerId, rule, app },
    ...{ method, host, path, userAgent, standsFor },
  };
}

/** A denial, as exports and the API have it. */
export interface DenialRow extends Omit<ReturnType<typeof denialOfLog>, "outcome"> {
  readonly outcome: string;
}

export async function* denialRows(items: AsyncIterable<FeedItem>): AsyncGenerator<DenialRow> {
  for await (const item of items) yield denialOfLog(item);
}

const columns = [
  ...(["at", "outcome", "client", "customer", "rule", "app"] as const),
  ...(["method", "host", "path", "userAgent", "standsFor"] as const),
];

/** Lines of an export, the head of CSV first. */
export async function* exportDenials(
  rows: AsyncIterable<DenialRow>,
  format: "csv" | "jsonl",
): AsyncGenerator<string> {
  if (format === "csv") yield writeRow(columns);
  for await (const denial of rows) {
    yield format === "csv"
      ? writeRow(columns.map((name) => String(denial[name])))
      : `${JSON.stringify(denial)}\n`;
  }
}
