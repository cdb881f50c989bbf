import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";

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
export interface View {
  readonly slots: readonly Slot[];
  readonly strings?: readonly string[];
  readonly hashes?: readonly string[];
}

/** What a slot holds. `kind` is the type in Redis, "none" for nothing. The value is told of what belongs there. */
export interface Holding {
  readonly kind: string;
  readonly value: string;
  readonly digest: string;
  /** Ms of Redis' clock; null for never. */
  readonly expiresAt: number | null;
}

/** Everything in it is of one moment. */
export interface Snapshot {
  readonly now: number;
  /** How the audit log ends, as its head says, and the id that its stream gave last. */
  readonly head: { readonly n: number; readonly mac: string; readonly proof: string } | undefined;
  readonly lastId: number;
  readonly change: number;
  readonly slots: readonly Holding[];
  readonly strings: ReadonlyMap<string, string>;
  readonly hashes: readonly ReadonlyMap<string, string>[];
}

type Text = string | null;
type Reply = [
  number,
  [Text, Text, Text],
  string,
  number,
  (string | number | null)[],
  string[][],
  (string | number)[],
];

const script = defineScript({
  lua: lua.snapshot,
  keys: ({ slots, hashes = [], strings = [] }: View) => [
    keys.audit(),
    keys.auditHead(),
    keys.change(),
    ...slots.map(({ key }) => key),
    ...hashes,
    ...strings,
  ],
  args: ({ slots, hashes = [] }) => [slots.length, hashes.length, ...slots.map(({ field }) => field ?? "")],
  reply: (raw: Reply) => raw,
});

export async function takeSnapshot(redis: Connection, view: View): Promise<Snapshot> {
  const [now, [n, mac, proof], lastId, change, slots, hashes, strings] = await script.run(redis, view);
  return {
    now,
    head: mac === null ? undefined : { n: Number(n), mac, proof: proof ?? "" },
    lastId: Number(lastId.split("-", 1)[0]),
    change,
    slots: view.slots.map((slot, i) => readHolding(slot, slots.slice(4 * i, 4 * i + 4))),
    strings: new Map(inPairs(strings).map(([i, value]) => [view.strings?.[Number(i)] ?? "", String(value)])),
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
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [name, value] = flat.slice(i, i + 2);
    if (name !== undefined && value !== undefined) found.push([name, value]);
  }
  return found;
}
