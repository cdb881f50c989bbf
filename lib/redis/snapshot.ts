import { at } from "../at.ts";
import type { Connection } from "./connect.ts";
import { keys } from "./keys.ts";
import { lua } from "./lua.generated.ts";
import { defineScript } from "./script.ts";

/** A place that a change may write: a string key, a whole hash, or one field of a hash. */
export interface Slot {
  readonly key: string;
  readonly field?: string;
  /** What is written there is a hash, and values are JSON objects of its fields. */
  readonly isHash?: boolean;
  /** What is written there says only what the record says anyway, so it is not recorded itself. */
  readonly isAside?: boolean;
  /** What people call it. */
  readonly target: string;
}

/** What to read at one moment: slots, and what a decision merely looks at. */
export interface SnapshotView {
  readonly slots: readonly Slot[];
  readonly strings?: readonly string[];
  readonly hashes?: readonly string[];
}

/** What a slot holds. `kind` is the type in Redis, "none" for nothing. The value is given for a slot of the expected type. */
export interface Holding {
  readonly kind: string;
  readonly value: string;
  readonly digest: string;
  /** Ms of Redis' clock; null for never. */
  readonly expiresAt: number | null;
}

export interface LogEnd {
  readonly n: number;
  readonly mac: string;
  readonly proof: string;
  /** Of a record's parts: JSON of parts.ts. */
  readonly facts: string;
}

/** Everything in it is of one moment. */
export interface Snapshot {
  readonly now: number;
  /** How the log ends that is written to, as its head says, and the id that its stream gave last. */
  readonly head: LogEnd | undefined;
  readonly lastId: number;
  readonly change: number;
  readonly slots: readonly Holding[];
  readonly strings: ReadonlyMap<string, string>;
  readonly hashes: readonly ReadonlyMap<string, string>[];
}

type SlotText = string | null;
type SnapshotReply = [
  number,
  [SlotText, SlotText, SlotText, SlotText],
  string,
  number,
  (string | number | null)[],
  string[][],
  (string | number)[],
];

/** The log that is written to: the audit log unless given. */
interface LogPlace {
  readonly stream: string;
  readonly head: string;
}

const script = defineScript({
  lua: lua.snapshot,
  keys: ({ slots, hashes = [], strings = [], log }: SnapshotView & { log: LogPlace }) => [
    log.stream,
    log.head,
    keys.change(),
    keys.auditHead(),
    ...slots.map(({ key }) => key),
    ...hashes,
    ...strings,
  ],
  args: ({ slots, hashes = [] }) => [slots.length, hashes.length, ...slots.map(({ field }) => field ?? "")],
  reply: (raw: SnapshotReply) => raw,
});

export async function takeSnapshot(
  redis: Connection,
  view: SnapshotView,
  log: LogPlace = { stream: keys.audit(), head: keys.auditHead() },
): Promise<Snapshot> {
  const [now, end, lastId, change, slots, hashes, strings] = await script.run(redis, { ...view, log });
  const [n, mac, proof, facts] = end;
  return {
    now,
    head: mac === null ? undefined : { n: Number(n), mac, proof: proof ?? "", facts: facts ?? "" },
    lastId: Number(lastId.split("-", 1)[0]),
    change,
    slots: view.slots.map((slot, i) => readHolding(slot, slots.slice(4 * i, 4 * i + 4))),
    strings: new Map(
      inPairs(strings).map(([i, value]) => [at(view.strings ?? [], Number(i)), String(value)]),
    ),
    hashes: hashes.map((flat) => new Map(inPairs(flat))),
  };
}

function readHolding(
  { isHash }: Slot,
  [kind, value, digest, expiry]: readonly (string | number | null)[],
): Holding {
  return {
    kind: String(kind),
    value: kind === "hash" && !isHash ? "" : String(value ?? ""),
    digest: String(digest ?? ""),
    expiresAt: Number(expiry) < 0 ? null : Number(expiry),
  };
}

function inPairs<T>(flat: readonly T[]): [T, T][] {
  const found: [T, T][] = [];
  for (let i = 0; i < flat.length; i += 2) found.push([at(flat, i), at(flat, i + 1)]);
  return found;
}
