import { at } from "../../at.ts";
import { overlaps } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, readBlock } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { type EvidenceKind, keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { listIn, repliesOf } from "../../redis/script.ts";
import { type FeedItem, readSample } from "./feed.ts";

/** Samples of a client's requests, kept for it alone, the newest first. The oldest is the first that was kept. */
export interface Evidence {
  /** Also requests that a rule in shadow would have denied. */
  readonly denied: readonly FeedItem[];
  /** Requests that passed, safelisted ones among them. */
  readonly passed: readonly FeedItem[];
}

const classes = ["denied", "passed"] as const;
/** Samples older than this are not shown: lists end a little later. */
const evidenceMs = 86_400_000;

interface EvidenceQuery {
  readonly kind: EvidenceKind;
  /** As nodes count them. */
  readonly clients: readonly string[];
  readonly nowMs: number;
  /** Of each client and class; all without it. */
  readonly most?: number;
}

/** What nodes kept of these clients in the last 24 hours. */
export async function readEvidence(redis: Connection, query: EvidenceQuery): Promise<Evidence[]> {
  const { kind, clients, nowMs, most = 0 } = query;
  const pipeline = redis.pipeline();
  for (const client of clients)
    for (const of of classes) pipeline.lrange(keys.evidence(of, kind, client), 0, most - 1);
  const lists = clients.length > 0 ? await repliesOf(pipeline) : [];
  const found: Evidence[] = [];
  const breathe = breathing();
  for (const [i] of clients.entries()) {
    await breathe();
    const read = (place: number) =>
      listIn(lists[2 * i + place]).flatMap((text, n) => {
        const item = readSample(String(text), `${at(classes, place)} ${i} ${n}`);
        return item && item.at > nowMs - evidenceMs ? [item] : [];
      });
    found.push({ denied: read(0), passed: read(1) });
  }
  return found;
}

/** The addresses and networks in or around an address or range of which something is kept, those with most denials first. */
export async function clientsWithEvidence(
  redis: Connection,
  range: Ip | Cidr,
  most: number,
): Promise<string[]> {
  const block = blockOf(range);
  const indexes = await Promise.all(
    classes.map((of) => redis.zrevrange(keys.evidenceIndex(of, "ip"), 0, -1)),
  );
  const found = new Set<string>();
  const breathe = breathing();
  for (const client of indexes.flat()) {
    if (found.size === most) break;
    await breathe();
    const known = readBlock(client);
    if (known && overlaps(block, known)) found.add(client);
  }
  return [...found];
}
