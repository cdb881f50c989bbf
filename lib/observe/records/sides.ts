import { readTierEnd } from "../../enforce/customers/tier.ts";
import { readNote } from "../../enforce/lists/entry.ts";
import { parseOverride, publishedLevels } from "../../enforce/policy/code-limits.ts";
import { sayLevels } from "../../enforce/policy/words.ts";
import {
  type AuditRecord,
  aboutOf,
  type RecordedChange,
  type StoredValue,
} from "../../manage/audit/record.ts";
import { untilWhen } from "../../manage/audit/time-words.ts";
import { parseFeed } from "../../manage/feeds/definition.ts";
import { parseShared } from "../../manage/overrides/shared-override.ts";
import { readToken } from "../../manage/tokens/token.ts";
import { kindOf, modeOf, type UndoKind, versionOf } from "../../manage/undo/undoable.ts";
import { readUser } from "../../manage/users/user.ts";
import { parseObject } from "../../parse-object.ts";
import { levelsOf, sayTierUntil } from "./customer-words.ts";
import { named, type Phrase } from "./pieces.ts";
import { saySharedTerms } from "./shared-override-words.ts";

/** One target before a change, and after it. */
export interface Sides {
  readonly target: string;
  readonly before: Phrase;
  readonly after: Phrase;
}

export function saySides(record: AuditRecord, { target, before, after }: RecordedChange): Sides {
  const about = aboutOf(record);
  const kind = about === "customer.tier-ended" ? "tier" : (kindOf(about) ?? about);
  if (kind === "tier") return sidesOfTier(record.changes, { target, before, after });
  return { target, before: saySide(kind, target, before), after: saySide(kind, target, after) };
}

/** The tier, and what follows it, of which its key expires much later than the tier ends. */
function sidesOfTier(
  [tier, afterwards]: readonly RecordedChange[],
  { target, ...change }: RecordedChange,
): Sides {
  const side = (of: "before" | "after"): Phrase => {
    const standing = change[of];
    const follows = readTierEnd(afterwards?.[of]?.value ?? "");
    if (target !== tier?.target) return follows ? [named(follows.back)] : ["the same"];
    if (standing === null) return ["no tier"];
    if (standing.type !== undefined) return [`a ${standing.type} that Sluice did not write`];
    const end = follows ? [`, ${sayTierUntil(follows.atMs)}`] : endOf(standing);
    return [named(standing.value ?? ""), ...end];
  };
  return { target, before: side("before"), after: side("after") };
}

function saySide(kind: UndoKind | string, target: string, standing: StoredValue | null): Phrase {
  if (standing === null) return [nothing(kind)];
  if (standing.type !== undefined) return [`a ${standing.type} that Sluice did not write`];
  const value = standing.value ?? "";
  if (kind === "blocklist" || kind === "safelist") return [untilWhen(standing.expiresAt), ...noteOf(value)];
  if (kind === "never-block") return ["never blocked", ...noteOf(value)];
  if (kind === "override") return [levelsOf(standing), ...endOf(standing)];
  if (kind === "shared-override") return sharedOf(target, value);
  if (kind === "limit") return [limitOf(value)];
  if (kind === "feed") return [feedOf(value)];
  if (kind === "mode") return [`mode ${modeOf(standing) ?? "unknown"}`];
  if (kind === "policy") return [`version ${versionOf(standing) ?? "unknown"}`];
  if (kind.startsWith("user.") || kind === "role") return userOf(value);
  if (kind.startsWith("token.")) return tokenOf(value);
  if (kind.startsWith("note.")) return writtenOf(value, "text");
  if (kind.startsWith("link.")) return writtenOf(value, "template");
  return [named(value.slice(0, 300)), ...endOf(standing)];
}

function nothing(kind: UndoKind | string): string {
  if (kind === "blocklist" || kind === "safelist") return `not on the ${kind}`;
  if (kind === "never-block") return "may be blocked";
  if (kind === "override") return "no levels of its own";
  if (kind === "shared-override") return "no override";
  if (kind === "feed") return "no feed";
  if (kind === "limit") return "as the code has it";
  if (kind === "mode") return "mode enforce, of a fresh install";
  if (kind === "policy") return "the policy of a fresh install";
  if (kind === "note.ticket") return "no ticket";
  if (kind.startsWith("note.")) return "no note";
  if (kind.startsWith("link.")) return "no link";
  if (kind.startsWith("token.")) return "no token";
  return kind.startsWith("user.") ? "no user" : "nothing";
}

function tokenOf(value: string): Phrase {
  const token = readToken("", value);
  if (!token) return ["a token that cannot be read"];
  const { scopes, app, until } = token;
  const where = app === undefined ? [] : [" for ", named(app)];
  return [`may ${scopes.join(", ")}`, ...where, `, ${until === null ? "never expires" : `until ${until}`}`];
}

/** The text of a note, of a ticket or of a link, and its author. */
function writtenOf(value: string, member: "text" | "template"): Phrase {
  const { [member]: text, by } = parseObject(value) ?? {};
  return [named(String(text ?? value.slice(0, 300))), ...(by ? [", by ", named(String(by))] : [])];
}

/** What was published for a limit of code. */
function limitOf(value: string): string {
  const override = parseOverride(value) ?? {};
  const levels = publishedLevels(override);
  return [...(levels ? [sayLevels(levels)] : []), ...(override.mode ? [`mode ${override.mode}`] : [])].join(
    ", ",
  );
}

/** The override of a group or pattern. */
function sharedOf(name: string, value: string): Phrase {
  const override = parseShared(name, value);
  return override ? saySharedTerms(override) : ["an override of another version"];
}

function feedOf(value: string): string {
  const feed = parseFeed("", value);
  if (!feed) return "a feed of another version";
  const { list, mode, isPaused, contents } = feed;
  const state = isPaused ? "paused" : mode === "shadow" ? "in shadow" : "enforced";
  return `${list}, ${state}, ${(contents?.ranges ?? 0).toLocaleString("en-US")} ranges`;
}

function noteOf(value: string): Phrase {
  const { reason, by, tags } = readNote(value);
  return [
    ...(by ? [", by ", named(by)] : []),
    ...(tags ? [`, tagged ${tags.join(" ")}`] : []),
    ...(reason ? [": ", named(reason)] : []),
  ];
}

function endOf({ expiresAt }: StoredValue): Phrase {
  return expiresAt === null ? [] : [`, ${untilWhen(expiresAt)}`];
}

function userOf(value: string): Phrase {
  const user = readUser(value);
  if (!user) return [named(value.slice(0, 300))];
  const by =
    user.by === "sso"
      ? "by single sign-on"
      : user.linkUntil
        ? "with a link to choose a password"
        : "by password";
  return [`${user.role}, ${by}`];
}
