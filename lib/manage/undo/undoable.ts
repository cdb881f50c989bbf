import { at } from "../../at.ts";
import { isCanonical } from "../../ip/parse.ts";
import {
  type AuditRecord,
  aboutOf,
  keepsEnd,
  type RecordedChange,
  type StoredValue,
} from "../audit/record.ts";
import { permissionFor } from "../lists/life.ts";
import type { Permission } from "../users/roles.ts";

/** What a record changed, which decides the verb that undoes it. */
export type UndoKind =
  | "blocklist"
  | "safelist"
  | "never-block"
  | "tier"
  | "override"
  | "suspension"
  | "shared-override"
  | "policy"
  | "mode"
  | "attack"
  | "limit"
  | "edge"
  | "feed"
  | "retention"
  | "role";

export interface UndoAbility {
  readonly can: true;
  readonly kind: UndoKind;
  readonly needs: Permission;
}

export type Undoability = UndoAbility | { readonly can: false; readonly why: string };

type About = Pick<AuditRecord, "action" | "undoes" | "changes" | "bulk">;

/** Longest value that a record keeps whole: longer ones were cut when they were read (lua/snapshot.lua). */
const longestKept = 4_096;

const kinds: Readonly<Record<string, UndoKind>> = {
  "never-block.add": "never-block",
  "never-block.remove": "never-block",
  "customer.tier": "tier",
  "customer.override": "override",
  "customer.override.clear": "override",
  "customer.suspend": "suspension",
  "customer.resume": "suspension",
  "override.set": "shared-override",
  "override.remove": "shared-override",
  "policy.set": "policy",
  "policy.roll-back": "policy",
  "policy.mode": "mode",
  "policy.attack-on": "attack",
  "policy.attack-off": "attack",
  "limit.set": "limit",
  "edge.on": "edge",
  "edge.off": "edge",
  "feed.add": "feed",
  "feed.remove": "feed",
  "feed.pause": "feed",
  "feed.resume": "feed",
  "feed.shadow": "feed",
  "feed.enforce": "feed",
  "feed.confirm": "feed",
  "feed.source": "feed",
  "feed.refresh": "feed",
  "feed.accept": "feed",
  "feed.keep": "feed",
  "feed.expire": "feed",
  "denials.retention": "retention",
  "user.role": "role",
};

const lost: Readonly<Record<string, string>> = {
  "edge.clear": "Clients that are still over the limit are limited again automatically.",
  "customer.tier-ended": "Its time was over. Set the tier again.",
  "customer.reset": "The counts were deleted and cannot be restored.",
  "policy.ended": "Its time was over. Publish what you want to have again.",
  "link.set": "Set the link again.",
  "link.remove": "Set the link again.",
  "token.create": "Revoke the token instead.",
  "token.revoke": "A revoked token stays revoked. Create another one.",
  "note.add": "Remove the note instead.",
  "note.remove": "Add the note again.",
  "note.ticket": "Set the ticket again.",
  "user.invite": "Remove the user instead.",
  "user.remove": "The password went with the user. Invite them again.",
  "user.reset": "The old password is gone.",
};

/** Whether a record can be undone, with which permission, or why not. Later changes are checked by the undo itself. */
export function undoable(record: About): Undoability {
  const about = aboutOf(record);
  const { bulk } = record;
  if (bulk && !bulk.state) return no("Its entries are not as Sluice wrote them. Check the log.");
  if (record.changes.length === 0 && !bulk?.state?.done) return no("It changed nothing.");
  const kind = kindOf(about);
  if (kind && bulk?.state) return { can: true, kind, needs: permissionToEnd(bulk.state.latestEnd) };
  if (!kind) return no(lost[about] ?? "This cannot be undone.");
  if (isOfPolicy(kind) && !isPolicy(at(record.changes, 0)))
    return no("The earlier policy was not written by Sluice.");
  const stray = isOfList(kind) ? record.changes.find(({ target }) => !isCanonical(target)) : undefined;
  if (stray) return no(`${stray.target} is not an address as Sluice writes it.`);
  const spoiled = keepsValues(kind)
    ? record.changes.map(whyLost).find((why) => why !== undefined)
    : undefined;
  if (spoiled !== undefined) return no(spoiled);
  return { can: true, kind, needs: needed(kind, record.changes) };
}

export function kindOf(about: string): UndoKind | undefined {
  const list = /^(blocklist|safelist)\./.exec(about)?.[1];
  if (list === "blocklist" || list === "safelist") return list;
  return Object.hasOwn(kinds, about) ? kinds[about] : undefined;
}

/** False for a policy, whose versions are kept, and for a user, whose role alone comes back. */
function keepsValues(kind: UndoKind): boolean {
  return !isOfPolicy(kind) && kind !== "role";
}

function isOfList(kind: UndoKind): boolean {
  return kind === "blocklist" || kind === "safelist";
}

function isOfPolicy(kind: UndoKind): boolean {
  return kind === "policy" || kind === "mode" || kind === "attack";
}

function isPolicy({ before, after }: RecordedChange): boolean {
  return [before, after].every((side) => versionOf(side) !== undefined && modeOf(side) !== undefined);
}

function isWhole(standing: StoredValue | null): boolean {
  if (standing === null) return true;
  return standing.value !== null && new TextEncoder().encode(standing.value).length < longestKept;
}

/** Why the earlier value cannot be put back. */
export function whyLost(change: RecordedChange): string | undefined {
  const { target, before } = change;
  if (isWhole(before)) return undefined;
  return `The earlier value of ${target} cannot be put back: ${whyNotWhole(change)}.`;
}

function whyNotWhole({ before }: RecordedChange): string {
  return before?.type === undefined
    ? "it was too long to be kept"
    : `it was a ${before.type} that Sluice did not write`;
}

function needed(kind: UndoKind, changes: readonly RecordedChange[]): Permission {
  if (isOfList(kind)) return changes.map(permissionToRestore).find((one) => one !== "lists") ?? "lists";
  if (kind === "never-block" || kind === "policy" || kind === "edge") return kind;
  if (kind === "feed") return "feeds";
  if (kind === "retention") return "denial-log";
  if (kind === "limit") return "policy";
  if (kind === "role") return "users";
  if (kind === "attack") return "ease-off";
  if (kind === "mode") return modeOf(at(changes, 0).before) === "enforce" ? "enforce" : "ease-off";
  return "customers";
}

/** What an undo of this change takes: it may put back an entry that lasts longer than staff may choose. */
function permissionToRestore(change: RecordedChange): Permission {
  const { before } = change;
  if (before === null || keepsEnd(change)) return "lists";
  return permissionToEnd(before.expiresAt === null ? null : Date.parse(before.expiresAt));
}

/** @param endsAt null for never */
function permissionToEnd(endsAt: number | null): Permission {
  return permissionFor(endsAt === null ? "forever" : { until: endsAt }, Date.now());
}

/** The mode of a policy's text, also of one that was cut; without any policy that of a fresh install. */
export function modeOf(policy: StoredValue | null): string | undefined {
  if (policy === null) return "enforce";
  return /"policy":\{"mode":"(enforce|shadow|off)"/.exec(policy.value ?? "")?.[1];
}

/** The version of a policy's text, also of one that was cut; 0 is a fresh install. */
export function versionOf(policy: StoredValue | null): number | undefined {
  if (policy === null) return 0;
  const text = /^\{"version":(\d{1,15}),/.exec(policy.value ?? "")?.[1];
  return text === undefined ? undefined : Number(text);
}

function no(why: string): Undoability {
  return { can: false, why };
}
