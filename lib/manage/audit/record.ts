import type { Ip } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import type { Seal } from "./seal.ts";

/** The actor of a change, and its source. */
export interface Actor {
  readonly name: string;
  /** The actor's address, when it is known. */
  readonly address?: Ip;
  /** "console", "cli", "auto:<rule>" */
  readonly via: string;
}

/** The context of every change: its actor, its Redis, and the seal of its audit record. */
export interface Signed {
  readonly actor: Actor;
  readonly redis: Connection;
  readonly seal: Seal;
  /** The change is decided with all its checks, and nothing is written. */
  readonly isDryRun?: boolean;
  /** The record that the change undoes: it is recorded as an undo of it. */
  readonly undoes?: UndoTarget;
  /** The record that this change is a part of. Without it, the change gets a record of its own. */
  readonly into?: RecordTarget;
}

/** A record of more entries than one step can change. It is begun when the first of them is written. */
export interface RecordTarget {
  readonly bulk: OpenBulk | undefined;
  begin(): Promise<void>;
}

/** A record whose entries are still being written. */
export interface OpenBulk extends Pick<AuditRecord, "n" | "at"> {
  readonly mac: string;
}

/** The record that an undo takes back. */
export interface UndoTarget {
  readonly n: number;
  /** The original action: an undo of an undo names the action of the first record. */
  readonly action: string;
  /** How many entries were chosen, if not all of them. */
  readonly entries?: number;
}

/** A value in Redis. `type` is set only for a type that Sluice does not write. `expiresAt` is ISO; null for never. */
export interface StoredValue {
  readonly value: string | null;
  readonly expiresAt: string | null;
  readonly type?: string;
}

export interface RecordedChange {
  /** The name of what was changed: an address, a customer. */
  readonly target: string;
  readonly before: StoredValue | null;
  readonly after: StoredValue | null;
}

/** A change of the value alone: its undo makes nothing last longer. */
export function keepsEnd({ before, after }: RecordedChange): boolean {
  return before !== null && after !== null && before.expiresAt === after.expiresAt;
}

/** A change that a node made earlier, without the seal. */
export interface EarlierChange extends Pick<AuditRecord, "at" | "changes"> {
  /** The number it was given when it was made; without one it gets the number of this change. */
  readonly change?: number;
}

export interface AuditRecord {
  readonly n: number;
  /** ISO, by Redis' clock. */
  readonly at: string;
  readonly actor: string;
  readonly address?: Ip;
  readonly via: string;
  /** "blocklist.add", "safelist.extend", …, "undo" */
  readonly action: string;
  readonly undoes?: UndoTarget;
  /** The number that nodes acknowledge; null when nodes do not hold what was changed. */
  readonly change: number | null;
  readonly reason: string;
  /** Empty for a bulk: its changes are in its parts. */
  readonly changes: readonly RecordedChange[];
  /** More entries than one step can change: they are in a log of their own, the record's parts. */
  readonly bulk?: Bulk;
}

/** What the record of a bulk says itself. It is written before the first entry. */
export interface BulkTerms {
  /** How many entries were asked for. */
  readonly wanted: number;
  /** Identifies the request: the same request continues an unfinished record. */
  readonly digest: string;
}

export interface Bulk extends BulkTerms {
  /** The mac of the record, which its parts begin with. */
  readonly mac: string;
  /** Undefined before it is read, and where it is not as Sluice wrote it. */
  readonly state?: BulkState | undefined;
}

/** Progress of a bulk, from the head of its parts. */
export interface BulkState {
  /** How many parts there are. */
  readonly parts: number;
  readonly mac: string;
  /** The last change: nodes that have applied it have applied all. */
  readonly change: number | null;
  /** Entries written. */
  readonly done: number;
  /** Entries that an undo left because they were changed since. */
  readonly left: number;
  readonly isClosed: boolean;
  /** Ms: the latest end that an undo would put back. Null for an entry that never expires, 0 where there is none. */
  readonly latestEnd: number | null;
  /** The part of the undone record that an undo came to last. */
  readonly reached: number;
}

/** The action that a record is about: an undo is about the action that it took back. */
export function aboutOf({ action, undoes }: Pick<AuditRecord, "action" | "undoes">): string {
  return undoes?.action ?? action;
}
