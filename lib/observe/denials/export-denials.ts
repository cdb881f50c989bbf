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

const columns = [
  ...(["at", "outcome", "client", "customer", "rule", "app"] as const),
  ...(["method", "host", "path", "userAgent", "standsFor"] as const),
];

/** Lines of an export, the head of CSV first. */
export async function* exportDenials(
  items: AsyncIterable<FeedItem>,
  format: "csv" | "jsonl",
): AsyncGenerator<string> {
  if (format === "csv") yield writeRow(columns);
  for await (const item of items) {
    const denial = denialOfLog(item);
    yield format === "csv"
      ? writeRow(columns.map((name) => String(denial[name])))
      : `${JSON.stringify(denial)}\n`;
  }
}
