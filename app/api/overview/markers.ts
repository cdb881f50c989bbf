import { readHistory } from "../../../lib/audit/history.ts";
import { type AuditRecord, aboutOf } from "../../../lib/audit/record.ts";
import { type Found, isDamaged } from "../../../lib/audit/stored.ts";
import { overlaps } from "../../../lib/ip/block.ts";
import { readBlock } from "../../../lib/ip/parse.ts";
import type { Marker } from "../../../lib/queries/markers.ts";
import type { Connection } from "../../../lib/redis/connect.ts";
import { plainly } from "../../../lib/undo/pieces.ts";
import { sayRecord } from "../../../lib/undo/words.ts";

/** Whose chart it is: what touches neither it nor everybody is left out. Without either, it is everybody's. */
export interface Whose {
  readonly client?: string | undefined;
  readonly customer?: string | undefined;
}

/** What people changed and charts mark: what could bend a curve, done or undone. */
const bending = /^(blocklist|safelist|policy|customer|never-block)/;
const mostMarkers = 40;
const longestText = 200;

interface Wanted extends Whose {
  /** In ms. */
  readonly from: number;
  readonly mostScanned?: number;
}

/** The newest of what the audit log has, newest first. */
export async function readMarkers(
  redis: Connection,
  { from, mostScanned = 5_000, ...whose }: Wanted,
): Promise<Marker[]> {
  const { records } = await readHistory(redis, { filter: { from }, limit: mostScanned, mostScanned });
  return markersOf(records, whose).slice(0, mostMarkers);
}

export function markersOf(records: readonly Found[], whose: Whose = {}): Marker[] {
  return records.flatMap((record) => {
    if (isDamaged(record) || !bending.test(aboutOf(record)) || !touches(record, whose)) return [];
    const { n, at, actor, action } = record;
    return [{ at: Date.parse(at), n, actor, action, text: plainly(sayRecord(record)).slice(0, longestText) }];
  });
}

function touches(record: AuditRecord, { client, customer }: Whose): boolean {
  const about = aboutOf(record);
  if (about.startsWith("policy")) return true;
  const targets = record.changes.map(({ target }) => target);
  if (client !== undefined) return !about.startsWith("customer") && isAround(client, targets);
  if (customer !== undefined) return about.startsWith("customer") && targets.includes(customer);
  // What rules did by themselves would crowd out what people did.
  return !record.via.startsWith("auto");
}

function isAround(client: string, targets: readonly string[]): boolean {
  const block = readBlock(client);
  return targets.some((target) => {
    const other = readBlock(target);
    return block !== undefined && other !== undefined && overlaps(block, other);
  });
}
