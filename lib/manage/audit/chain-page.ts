import { at } from "../../at.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

/** How the log ends, as the key beside it says. */
export interface LogHead {
  readonly n: string;
  readonly mac: string;
  readonly proof: string;
}

/** Other keys of Redis that show how far the log must reach. */
export interface LogCounters {
  readonly change: number;
  readonly lastN: number;
  /** Changes that nodes made and that wait for their record. */
  readonly pending: readonly number[];
}

export type StreamRows = readonly [id: string, fields: string[]][];

/** Some rows of the log, and the keys that show where it must end, read at the same moment. */
export async function readPage(
  redis: Connection,
  after: string,
  size: number,
): Promise<{ rows: StreamRows; head: LogHead | undefined; counters: LogCounters }> {
  const replies = await redis
    .multi()
    .xrange(keys.audit(), after, "+", "COUNT", size)
    .hmget(keys.auditHead(), "n", "mac", "proof", "change")
    .get(keys.change())
    .xinfo("STREAM", keys.audit())
    .hkeys(keys.pendingBans())
    .exec();
  const [page, head] = [replyOf(replies, 0), replyOf(replies, 1)];
  // A counter of another type counts nothing.
  const [change, stream, pending] = [2, 3, 4].map((index) => at(replies ?? [], index)[1]);
  // The replies of these two commands are known: a list of [id, flat fields], and a list of three texts.
  const rows = page as StreamRows;
  const [n, mac, proof, kept] = head as (string | null)[];
  return {
    rows,
    head: n == null || mac == null ? undefined : { n, mac, proof: proof ?? "" },
    counters: {
      change: Math.max(changeIn(change), changeIn(kept)),
      lastN: lastGiven(stream),
      pending: numbersIn(pending),
    },
  };
}

function replyOf(replies: readonly [Error | null, unknown][] | null, index: number): unknown {
  const [error, reply] = at(replies ?? [], index);
  if (error) throw error;
  return reply;
}

/** As lua/parts/last-change.lua reads it. */
function changeIn(text: unknown): number {
  if (typeof text !== "string" || !/^\d{1,16}$/.test(text)) return 0;
  const number = Number(text);
  return number < 2 ** 52 ? number : 0;
}

function numbersIn(fields: unknown): number[] {
  return Array.isArray(fields) ? fields.filter((field) => /^[1-9]\d*$/.test(field)).map(Number) : [];
}

/** The last id that the stream gave, even if that record is gone. 0 where the stream itself is gone. */
function lastGiven(stream: unknown): number {
  if (!Array.isArray(stream)) return 0;
  return Number(String(stream[stream.indexOf("last-generated-id") + 1]).split("-", 1)[0]) || 0;
}

/** Some parts of a record, and its head, which says where they end, read at the same moment. */
export async function readPartPage(
  redis: Connection,
  log: { readonly stream: string; readonly head: string },
  page: { readonly after: string; readonly size: number },
): Promise<{ rows: StreamRows; head: PartHead | undefined }> {
  const replies = await redis
    .multi()
    .xrange(log.stream, page.after, "+", "COUNT", page.size)
    .hmget(log.head, "n", "mac", "proof", "facts")
    .exec();
  const [rows, head] = [replyOf(replies, 0), replyOf(replies, 1)];
  // The replies of these two commands are known, as above.
  const [n, mac, proof, facts] = head as (string | null)[];
  const isMissing = n == null || mac == null;
  return {
    rows: rows as StreamRows,
    head: isMissing ? undefined : { n, mac, proof: proof ?? "", facts: facts ?? "" },
  };
}

export interface PartHead extends LogHead {
  readonly facts: string;
}
