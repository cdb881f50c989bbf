import { denialRetentionReply, denialsReply, savedDenialRetentionReply } from "../../api/replies.ts";
import type { Cidr, Ip } from "../../ip/parse.ts";
import { readRetentionDays, setRetention } from "../../manage/denials/retention.ts";
import { type LogCompleteness, readCompleteness, walkDenials } from "../../observe/denials/denial-log.ts";
import { type DenialRow, denialRows } from "../../observe/denials/export-denials.ts";
import { Series } from "../../observe/stats/series.ts";
import type { CommandSession, WritingSession } from "../session.ts";
import { type ApiSettings, askApi } from "./api-client.ts";

export interface DenialReads {
  /** Denials of the log, the newest first, read as they are taken. */
  searchDenials(wanted: WantedDenials): Promise<DenialSearch>;
  /** Days that the log is kept. */
  readRetention(): Promise<number>;
}

export interface DenialWrites {
  setRetention(input: {
    readonly days: number;
    readonly reason: string;
  }): Promise<{ readonly before: number }>;
}

export interface WantedDenials {
  /** How far back. */
  readonly sinceMs: number;
  readonly client?: Ip | Cidr | undefined;
  readonly customer?: string | undefined;
  readonly rule?: string | undefined;
  readonly app?: string | undefined;
  readonly path?: string | undefined;
  readonly outcome?: "blocked" | "throttled" | undefined;
}

interface DenialSearch {
  readonly rows: AsyncIterable<DenialRow>;
  readonly complete: LogCompleteness;
}

export function redisDenialReads({ redis, now }: CommandSession): DenialReads {
  return {
    async searchDenials({ sinceMs, ...wanted }) {
      const filter = { ...wanted, from: now() - sinceMs, to: now() };
      const times = { ...filter, nowMs: now() };
      const complete = await readCompleteness({ redis, series: new Series(redis) }, times);
      return { rows: denialRows(walkDenials(redis, filter)), complete };
    },
    readRetention: () => readRetentionDays(redis),
  };
}

export function redisDenialWrites({ context }: WritingSession): DenialWrites {
  return { setRetention: (input) => setRetention(context, input) };
}

const mostAPage = 500;

export function apiDenials(api: ApiSettings): DenialReads & DenialWrites {
  return {
    async searchDenials({ sinceMs, ...wanted }) {
      const query = { ...wanted, from: new Date(Date.now() - sinceMs).toISOString() };
      const page = (cursor?: string) =>
        askApi(api, {
          ...{ method: "GET", path: "/denials", reply: denialsReply },
          query: { ...query, limit: String(mostAPage), cursor },
        });
      const first = await page();
      const { kept, total, since, retentionDays } = first;
      return {
        rows: rowsOf(first, page),
        complete: { kept, total: total ?? undefined, since: Date.parse(since), retentionDays },
      };
    },
    async readRetention() {
      const path = "/denials/retention";
      return (await askApi(api, { method: "GET", path, reply: denialRetentionReply })).days;
    },
    setRetention: (body) =>
      askApi(api, { method: "PUT", path: "/denials/retention", body, reply: savedDenialRetentionReply }),
  };
}

interface DenialRowsPage {
  readonly denials: readonly DenialRow[];
  readonly next: string | null;
}

async function* rowsOf(
  first: DenialRowsPage,
  page: (cursor: string) => Promise<DenialRowsPage>,
): AsyncGenerator<DenialRow> {
  let shown = first;
  yield* shown.denials;
  while (shown.next !== null) {
    shown = await page(shown.next);
    yield* shown.denials;
  }
}
