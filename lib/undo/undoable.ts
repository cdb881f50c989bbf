import { type AuditRecord, aboutOf, type RecordedChange, type Standing } from "../audit/record.ts";
import type { Permission } from "../auth/roles.ts";
import { isCanonical } from "../ip/parse.ts";

/** What a record changed, and so who takes it back. */
export type UndoKind =
  | "blocklist"
  | "safelist"
  | "never-block"
  | "tier"
  | "override"
  | "policy"
  | "mode"
  | "edge"
  | "role";

export type Undoability =
  | { readonly can: true; readonly kind: UndoKind; readonly needs: Permission }
  | { readonly can: false; readonly why: string };

type About = Pick<AuditRecord, "action" | "undoes" | "changes">;

/** How long a value may be to stand whole in a record: longer ones were cut when they were read (lua/snapshot.lua). */
const longestKept = 4_096;

const kinds: Readonly<Record<string, UndoKind>> = {
  "never-block.add": "never-block",
  "never-block.remove": "never-block",
  "customer.tier": "tier",
  "customer.override": "override",
  "customer.override.clear": "override",
  "policy.set": "policy",
  "policy.roll-back": "policy",
  "policy.mode": "mode",
  "edge.on": "edge",
  "edge.off": "edge",
  "user.role": "role",
};

const lost: Readonly<Record<string, string>> = {
  "edge.clear": "Whoever still comes too often is turned away again by itself.",
  "customer.reset": "What was counted was deleted, and nobody knows it any more.",
  "user.invite": "Remove the user instead.",
  "user.remove": "The password went with the user. Invite them again.",
  "user.reset": "The old password is gone.",
};

/** Can the record be undone, by whom, or why not? Whether something has changed since is seen when it is tried. */
export function undoable(record: About): Undoability {
  const about = aboutOf(record);
  if (record.changes.length === 0) return no("It changed nothing.");
  const kind = kindOf(about);
  if (!kind) return no(lost[about] ?? "There is no way back from this.");
  if (isOfPolicy(kind) && !isPolicy(record.changes[0]))
    return no("What stood before was no policy that Sluice wrote.");
  const stray = isOfList(kind) ? record.changes.find(({ target }) => !isCanonical(target)) : undefined;
  if (stray) return no(`${stray.target} is no address as Sluice writes it.`);
  const spoiled = keepsValues(kind) ? record.changes.find(({ before }) => !isWhole(before)) : undefined;
  if (spoiled)
    return no(`What stood at ${spoiled.target} before cannot be put back: ${whyNotWhole(spoiled)}.`);
  return { can: true, kind, needs: needed(kind, record.changes) };
}

export function kindOf(about: string): UndoKind | undefined {
  const list = /^(blocklist|safelist)\./.exec(about)?.[1];
  if (list === "blocklist" || list === "safelist") return list;
  return Object.hasOwn(kinds, about) ? kinds[about] : undefined;
}

/** Of a policy the versions are kept, of a user the role alone comes back. */
function keepsValues(kind: UndoKind): boolean {
  return !isOfPolicy(kind) && kind !== "role";
}

function isOfList(kind: UndoKind): boolean {
  return kind === "blocklist" || kind === "safelist";
}

function isOfPolicy(kind: UndoKind): boolean {
  return kind === "policy" || kind === "mode";
}

function isPolicy(change: RecordedChange | undefined): boolean {
  const sides = change ? [change.before, change.after] : [];
  return (
    sides.length > 0 && sides.every((side) => versionOf(side) !== undefined && modeOf(side) !== undefined)
  );
}

function isWhole(standing: Standing | null): boolean {
  if (standing === null) return true;
  return standing.value !== null && new TextEncoder().encode(standing.value).length < longestKept;
}

function whyNotWhole({ before }: RecordedChange): string {
  return before?.type === undefined
    ? "it was too long to be kept"
    : `it was a ${before.type} that Sluice did not write`;
}

function needed(kind: UndoKind, changes: readonly RecordedChange[]): Permission {
  if (isOfList(kind)) return changes.some(isForever) ? "lists-forever" : "lists";
  if (kind === "never-block" || kind === "policy" || kind === "edge") return kind;
  if (kind === "role") return "users";
  if (kind === "mode") return modeOf(changes[0]?.before ?? null) === "enforce" ? "enforce" : "ease-off";
  return "customers";
}

/** What the undo puts back would never end. */
function isForever({ before }: RecordedChange): boolean {
  return before !== null && before.expiresAt === null;
}

/** The mode of a policy's text, also of one that was cut; without any policy that of a fresh install. */
export function modeOf(policy: Standing | null): string | undefined {
  if (policy === null) return "enforce";
  return /"policy":\{"mode":"(enforce|shadow|off)"/.exec(policy.value ?? "")?.[1];
}

/** The version of a policy's text, also of one that was cut; 0 is a fresh install. */
export function versionOf(policy: Standing | null): number | undefined {
  if (policy === null) return 0;
  const text = /^\{"version":(\d{1,15}),/.exec(policy.value ?? "")?.[1];
  return text === undefined ? undefined : Number(text);
}

function no(why: string): Undoability {
  return { can: false, why };
}
