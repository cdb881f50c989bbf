import type { Ip } from "../ip/parse.ts";
import type { Connection } from "../redis/connect.ts";
import type { Seal } from "./seal.ts";

/** Who changes things, and through which door. */
export interface Actor {
  readonly name: string;
  /** Where the actor sits, when it is known. */
  readonly address?: Ip;
  /** "console", "cli", "auto:<rule>" */
  readonly via: string;
}

/** What every change needs: who makes it, where, and the seal of its audit record. */
export interface Signed {
  readonly actor: Actor;
  readonly redis: Connection;
  readonly seal: Seal;
  /** What the change takes back: it is recorded as an undo of that. */
  readonly undoes?: Undone;
}

/** A record that was taken back. */
export interface Undone {
  readonly n: number;
  /** What was done in the first place: an undo of an undo says what the undone one was about. */
  readonly action: string;
}

/** What stood in Redis. `type` is there only when it was nothing of ours. `expiresAt` is ISO, null for never. */
export interface Standing {
  readonly value: string | null;
  readonly expiresAt: string | null;
  readonly type?: string;
}

export interface RecordedChange {
  /** What people call it: an address, a customer. */
  readonly target: string;
  readonly before: Standing | null;
  readonly after: Standing | null;
}

/** A change that was made by who could not seal it. */
export interface Made extends Pick<AuditRecord, "at" | "changes"> {
  readonly change: number;
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
  readonly undoes?: Undone;
  /** The number that nodes acknowledge; null when it is nothing they hold. */
  readonly change: number | null;
  readonly reason: string;
  readonly changes: readonly RecordedChange[];
}

/** What a record is about: an undo is about what it took back. */
export function aboutOf({ action, undoes }: Pick<AuditRecord, "action" | "undoes">): string {
  return undoes?.action ?? action;
}
