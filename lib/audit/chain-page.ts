import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";

/** How the log ends, as it is told beside it. */
export interface Head {
  readonly n: string;
  readonly mac: string;
  readonly proof: string;
}

/** What else in Redis knows how far the log must reach. */
export interface Counters {
  readonly change: number;
  readonly lastN: number;
  /** Changes that nodes made and that wait for their record. */
  readonly pending: readonly number[];
}

type Rows = readonly [id: string, fields: string[]][];

/** Some rows of the log, and of the same moment what else tells where it must end. */
export async function readPage(
  redis: Connection,
  after: string,
  size: number,
): Promise<{ rows: Rows; head: Head | undefined; counters: Counters }> {
  const replies = await redis
    .multi()
    .xrange(keys.audit(), after, "+", "COUNT", size)
    .hmget(keys.auditHead(), "n", "mac", "proof")
    .get(keys.change())
    .xinfo("STREAM", keys.audit())
    .hkeys(keys.pendingBans())
    .exec();
  const [[pageError, page], [headError, head]] = [replies?.[0] ?? [null, []], replies?.[1] ?? [null, []]];
  const [, change] = replies?.[2] ?? [];
  const [, stream] = replies?.[3] ?? [];
  const [, pending] = replies?.[4] ?? [];
  if (pageError ?? headError) throw pageError ?? headError;
  // What these two commands reply is known: a list of [id, flat fields], and a list of three texts.
  const rows = page as Rows;
  const [n, mac, proof] = head as (string | null)[];
  const isMissing = n == null || mac == null;
  return {
    rows,
    head: isMissing ? undefined : { n, mac, proof: proof ?? "" },
    counters: { change: Number(change) || 0, lastN: lastGiven(stream), pending: numbersIn(pending) },
  };
}

function numbersIn(fields: unknown): number[] {
  return Array.isArray(fields) ? fields.filter((field) => /^[1-9]\d*$/.test(field)).map(Number) : [];
}

/** The id that the stream gave last, also if that record is gone. There is none where the stream itself is gone. */
function lastGiven(stream: unknown): number {
  if (!Array.isArray(stream)) return 0;
  return Number(String(stream[stream.indexOf("last-generated-id") + 1]).split("-", 1)[0]) || 0;
}
