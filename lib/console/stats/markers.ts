import { readPolicy } from "../../enforce/policy/versions.ts";
import { coverings, overlaps } from "../../ip/block.ts";
import { readBlock } from "../../ip/parse.ts";
import { readHistory } from "../../manage/audit/history.ts";
import type { HistoryIndex } from "../../manage/audit/list-history-index.ts";
import { isBulk } from "../../manage/audit/parts.ts";
import { type AuditRecord, aboutOf } from "../../manage/audit/record.ts";
import { isDamaged, type LogRow } from "../../manage/audit/stored.ts";
import { modeOf, versionOf } from "../../manage/undo/undoable.ts";
import { plainly } from "../../observe/records/pieces.ts";
import { sayRecord } from "../../observe/records/record-words.ts";
import type { Marker, OffSpan } from "../../queries/markers.ts";
import type { Connection } from "../../redis/connect.ts";
import { listNames } from "../../redis/keys.ts";
import { loopTurn } from "../../redis/loop-turn.ts";
import { offSpansOf } from "./off-spans.ts";

/** Whose chart it is: what touches neither it nor everybody is left out. Without either, it is everybody's. */
export interface Whose {
  readonly client?: string | undefined;
  readonly customer?: string | undefined;
}

/** What people changed and charts mark: what could bend a curve, done or undone. */
const bending = /^(blocklist|safelist|policy|customer|never-block)/;
const mostMarkers = 40;
const longestText = 200;

interface MarkersSearch extends Whose {
  /** In ms. */
  readonly from: number;
  /** Later changes are not marked. */
  readonly until?: number | undefined;
  readonly mostScanned?: number;
  /** Knows which records touched an address, also those whose entries are in parts. */
  readonly history?: HistoryIndex;
}

/** Changes that charts mark, newest first, and the times in which the mode was off. */
export async function readMarkers(
  redis: Connection,
  { from, until, mostScanned = 5_000, history, ...whose }: MarkersSearch,
): Promise<{ markers: Marker[]; off: OffSpan[] }> {
  const [{ records, next, reached }, { policy, at }] = await Promise.all([
    readHistory(redis, { filter: { from }, limit: mostScanned, mostScanned }),
    readPolicy(redis),
  ]);
  const hasParts = records.some((found) => !isDamaged(found) && isBulk(found));
  const inParts = hasParts && history ? await recordsAround(history, whose.client) : undefined;
  await loopTurn();
  // Before the oldest record of a search that ended early, the mode is unknown.
  const knownFrom = next === null ? from : Math.max(from, reached ?? from);
  const off = offSpansOf(records, knownFrom, { mode: policy.mode, at });
  const shown = until === undefined ? records : records.filter((record) => isBefore(record, until));
  return { markers: markersOf(shown, whose, inParts), off };
}

const isBefore = (record: LogRow, until: number): boolean =>
  isDamaged(record) || Date.parse(record.at) <= until;

/** Numbers of the records that touched the client, or a range around it. */
async function recordsAround(history: HistoryIndex, client = ""): Promise<ReadonlySet<number>> {
  const block = readBlock(client);
  if (!block) return new Set();
  await history.catchUp();
  const touched = listNames.flatMap((list) =>
    coverings(block).flatMap((at) => history.records(list, at, mostMarkers)),
  );
  return new Set(touched.map(({ record }) => record));
}

/** Of the newest. */
export function markersOf(
  records: readonly LogRow[],
  whose: Whose = {},
  inParts: ReadonlySet<number> = new Set(),
): Marker[] {
  const markers: Marker[] = [];
  for (const record of records) {
    if (isDamaged(record) || !bending.test(aboutOf(record))) continue;
    if (!touches(record, whose) && !(whose.client !== undefined && inParts.has(record.n))) continue;
    const { n, at, actor, action } = record;
    const text = plainly(sayRecord(record)).slice(0, longestText);
    markers.push({ at: Date.parse(at), n, actor, action, text, short: shortRecord(record) });
    if (markers.length === mostMarkers) break;
  }
  return markers;
}

function touches(record: AuditRecord, { client, customer }: Whose): boolean {
  const about = aboutOf(record);
  if (about.startsWith("policy")) return true;
  const targets = record.changes.map(({ target }) => target);
  if (client !== undefined) return !about.startsWith("customer") && isAround(client, targets);
  if (customer !== undefined) return about.startsWith("customer") && targets.includes(customer);
  // Changes by rules would crowd out changes by people.
  return !record.via.startsWith("auto");
}

function isAround(client: string, targets: readonly string[]): boolean {
  const block = readBlock(client);
  return targets.some((target) => {
    const other = readBlock(target);
    return block !== undefined && other !== undefined && overlaps(block, other);
  });
}

/** A record in two or three words, for narrow charts: "mode off", "policy 41", "blocked 3", "customer limits". */
function shortRecord(record: AuditRecord): string {
  const about = aboutOf(record);
  const after = record.changes[0]?.after ?? null;
  if (about === "policy.mode") return `mode ${modeOf(after) ?? "changed"}`;
  if (about.startsWith("policy.")) return `policy ${versionOf(after) ?? "changed"}`;
  if (/^(blocklist|safelist)\./.test(about)) return shortEntries(record, about);
  if (about.startsWith("never-block.")) return after ? "range protected" : "range unprotected";
  if (about === "customer.tier") return "customer tier";
  return about === "customer.reset" ? "counters reset" : "customer limits";
}

function shortEntries({ bulk, changes }: AuditRecord, about: string): string {
  const [list, act] = about.split(".");
  const count = bulk?.state?.done ?? changes.length;
  const isGone = bulk ? act === "remove" : changes.every(({ after }) => after === null);
  const isBlocklist = list === "blocklist";
  const done = isGone ? (isBlocklist ? "unblocked" : "off safelist") : isBlocklist ? "blocked" : "safelisted";
  return count > 1 ? `${done} ${count.toLocaleString("en-US")}` : done;
}
