import { readBlock } from "../../ip/parse.ts";
import { type AuditRecord, aboutOf } from "../../manage/audit/record.ts";
import { defaultRetentionDays } from "../../manage/denials/retention.ts";
import { readSwitch } from "../../manage/edge/switch.ts";
import { parseFeed } from "../../manage/feeds/definition.ts";
import { requestsIn } from "../../manage/requests/user-request.ts";
import { modeOf, versionOf } from "../../manage/undo/undoable.ts";
import { readUser } from "../../manage/users/user.ts";
import { sayCustomer } from "./customer-words.ts";
import { sayEntries } from "./entry-words.ts";
import { enumerated, mostNamed, named, type Phrase } from "./pieces.ts";
import { saySharedOverride } from "./shared-override-words.ts";

/**
 * What an actor did, as the words after the name: "blocked 203.0.113.9 for 1 week", "moved customer 1042 from free to
 * pro". Foreign text is in parts of its own.
 */
export function sayRecord(record: AuditRecord): Phrase {
  const { undoes } = record;
  const attempt = sayAttempt(record);
  if (attempt) return ["tried to ", ...attempt, ", and was refused"];
  if (undoes?.entries !== undefined)
    return [
      `undid ${undoes.entries.toLocaleString("en-US")} of the entries of record ${undoes.n}: `,
      ...sayDone(record),
    ];
  if (undoes) return [`undid record ${undoes.n}: `, ...sayDone(record)];
  return sayDone(record);
}

function sayDone(record: AuditRecord): Phrase {
  const about = aboutOf(record);
  if (about === "lists.dismiss-loss") return ["decided to leave the lists as Redis came back with them"];
  if (about === "reference-key.rotate") return ["made a new key for references of denials"];
  if (record.changes.length === 0 && !record.bulk && about !== "sign-in") return sayUnknown(record, about);
  if (/^(blocklist|safelist)\./.test(about)) return sayEntries(record);
  if (about.startsWith("customer.")) return sayCustomer(record);
  return sayPlain(record, about) ?? sayUnknown(record, about);
}

function sayPlain(record: AuditRecord, about: string): Phrase | undefined {
  if (about.startsWith("policy.")) return sayPolicy(record, about);
  if (about.startsWith("never-block.")) return sayNeverBlock(record);
  if (about.startsWith("limit.")) return sayLimit(record);
  if (about.startsWith("user.")) return sayUser(record, about);
  if (about.startsWith("edge.")) return sayEdge(record, about);
  if (about.startsWith("link.")) return sayLink(record, about);
  if (about.startsWith("token.")) return sayToken(record, about);
  if (about.startsWith("note.")) return sayNote(record, about);
  if (about.startsWith("override.")) return saySharedOverride(record);
  if (about === "denials.retention") {
    const days = Number(record.changes[0]?.after?.value ?? defaultRetentionDays);
    return [`set the denial log to be kept for ${days === 1 ? "1 day" : `${days} days`}`];
  }
  if (about.startsWith("feed.")) return sayFeed(record, about);
  if (about.startsWith("alarm.")) return sayAlarm(record, about);
  if (about.startsWith("request.")) return sayRequest(record, about);
  return about === "sign-in" ? ["signed in"] : undefined;
}

function sayPolicy({ changes, undoes }: AuditRecord, about: string): Phrase {
  const [change] = changes;
  const [from, to] = [modeOf(change?.before ?? null), modeOf(change?.after ?? null)];
  if (about === "policy.mode" && from && to)
    return [`switched the mode ${undoes ? "back " : ""}from ${from} to ${to}`];
  const [was, is] = [versionOf(change?.before ?? null), versionOf(change?.after ?? null)];
  if (is === undefined) return ["changed the policy"];
  if (undoes && about.startsWith("policy.attack-"))
    return [`put attack mode back as it was, with version ${is} of the policy`];
  if (about === "policy.attack-on") return [`switched attack mode on, with version ${is} of the policy`];
  if (about === "policy.attack-off") return [`ended attack mode, with version ${is} of the policy`];
  if (about === "policy.ended")
    return [`saved version ${is} of the policy, after something of it had ended on time`];
  if (undoes) return [`brought back what the policy said before, as version ${is}`];
  if (about === "policy.roll-back") return [`rolled the policy back to an earlier version, as version ${is}`];
  return [
    `saved version ${is} of the policy${was === is - 1 ? "" : `, instead of ${was ?? "the policy that was there"}`}`,
  ];
}

function sayNeverBlock({ changes, undoes }: AuditRecord): Phrase {
  const ranges = enumerated(
    changes.map(({ target }) => ({ text: target, is: "address" })),
    mostNamed,
  );
  const isGone = changes.every(({ after }) => after === null);
  const again = undoes ? " again" : "";
  return isGone
    ? ["let ", ...ranges, ` be blocked${again}`]
    : ["made ", ...ranges, ` a protected range${again}`];
}

/** The target is app and name: "shop/export". */
function sayLimit({ changes: [change], undoes }: AuditRecord): Phrase {
  const target = named(change?.target ?? "");
  if (!change?.after) return ["let the code decide about the limit ", target, undoes ? " again" : ""];
  return [undoes ? "changed back" : "changed", " the limit ", target, " of code"];
}

/** The target is the kind and the name: "client Logs". */
function sayLink({ changes }: AuditRecord, about: string): Phrase {
  const [kind = "", ...name] = (changes[0]?.target ?? "").split(" ");
  const verb = about === "link.set" ? "set" : "removed";
  return [`${verb} the link `, named(name.join(" ")), ` of ${kind === "customer" ? "customers" : "clients"}`];
}

/** The target is the token's name. */
function sayToken({ changes }: AuditRecord, about: string): Phrase {
  const verb = about === "token.create" ? "created" : "revoked";
  return [`${verb} the API token `, named(changes[0]?.target ?? "")];
}

/** The target is the feed's id. */
function sayFeed({ changes: [change], undoes }: AuditRecord, about: string): Phrase {
  const feed = named(change?.target ?? "");
  const now = parseFeed(change?.target ?? "", change?.after?.value ?? "");
  if (undoes) return ["put the feed ", feed, " back as it was"];
  const { ranges = 0, added = 0, removed = 0 } = now?.contents ?? {};
  const count = (value: number) => value.toLocaleString("en-US");
  const numbers = `: ${count(ranges)} ranges, +${count(added)} / -${count(removed)}`;
  const list = now?.list ?? "blocklist";
  const said: Readonly<Record<string, Phrase>> = {
    "feed.add": ["added the feed ", feed, ` to the ${list}${now?.mode === "shadow" ? ", in shadow" : ""}`],
    "feed.remove": ["removed the feed ", feed],
    "feed.pause": ["paused the feed ", feed],
    "feed.resume": ["resumed the feed ", feed],
    "feed.shadow": ["put the feed ", feed, " into shadow"],
    "feed.enforce": ["enforced the feed ", feed],
    "feed.confirm": [now?.isWideConfirmed ? "confirmed" : "left out", " wide ranges of the feed ", feed],
    "feed.source": ["changed how the feed ", feed, " is read"],
    "feed.refresh": ["refreshed the feed ", feed, numbers],
    "feed.accept": ["accepted new contents of the feed ", feed, numbers],
    "feed.keep": ["kept the contents of the feed ", feed, ", against new ones"],
    "feed.expire": ["ended the feed ", feed, ", which has failed for too long"],
  };
  return (Object.hasOwn(said, about) ? said[about] : undefined) ?? ["changed the feed ", feed];
}

/** The target is the name of a destination, or the kind of a condition. */
function sayAlarm({ changes: [change] }: AuditRecord, about: string): Phrase {
  const target = named(change?.target ?? "");
  const said: Readonly<Record<string, Phrase>> = {
    "alarm.add": ["added the destination ", target, " of alarms"],
    "alarm.change": ["changed the destination ", target, " of alarms"],
    "alarm.remove": ["removed the destination ", target, " of alarms"],
    "alarm.test": ["sent a test to the destination ", target],
    "alarm.condition": ["changed when alarms of the kind ", target, " are raised"],
    "alarm.acknowledge": ["acknowledged the incident ", target],
    "alarm.resend": ["sent the alarm ", target, " again"],
  };
  return (Object.hasOwn(said, about) ? said[about] : undefined) ?? ["changed alarms"];
}

/** The target is what was asked for: "block 203.0.113.7". The value names the user who asked. */
function sayRequest({ changes: [change] }: AuditRecord, about: string): Phrase {
  const target = change?.target ?? "";
  const [wish = "", ...rest] = target.split(" ");
  const wanted: Phrase = [`${wish} `, named(rest.join(" "))];
  const [request] = requestsIn([["", change?.after?.value ?? ""]]);
  const by = named(request?.by ?? "a user");
  if (about === "request.make") return ["asked staff to ", ...wanted];
  return [about === "request.confirm" ? "confirmed" : "declined", " the request of ", by, " to ", ...wanted];
}

function sayNote({ changes: [change] }: AuditRecord, about: string): Phrase {
  const target = change?.target ?? "";
  const subject: Phrase = readBlock(target)
    ? [{ text: target, is: "address" }]
    : ["customer ", { text: target, is: "customer" }];
  if (about === "note.add") return ["added a note to ", ...subject];
  if (about === "note.remove") return ["removed a note of ", ...subject];
  return [change?.after ? "set the ticket of " : "removed the ticket of ", ...subject];
}

function sayEdge({ changes, undoes }: AuditRecord, about: string): Phrase {
  const clients = enumerated(
    changes.map(({ target }) => named(target)),
    mostNamed,
  );
  if (about === "edge.clear") return ["let in again at the edge: ", ...clients];
  const { isOn } = readSwitch(changes[0]?.after?.value);
  return [`switched limiting at the edge ${undoes ? "back " : ""}${isOn ? "on" : "off"}`];
}

function sayUser({ changes, actor, undoes }: AuditRecord, about: string): Phrase {
  const [change] = changes;
  const who = named(change?.target ?? "an unknown user");
  const [was, is] = [readUser(change?.before?.value)?.role, readUser(change?.after?.value)?.role];
  const isOwn = who.text === actor;
  const said: Readonly<Record<string, Phrase>> = {
    "user.role": [
      "changed the role of ",
      who,
      `${undoes ? " back" : ""} from ${was ?? "none"} to ${is ?? "none"}`,
    ],
    "user.invite": ["invited ", who, ` as ${is ?? "a user"}`],
    "user.remove": ["removed the user ", who],
    "user.reset": ["took the password of ", who, " away and made a link to choose another"],
    "user.welcome": ["took up the invitation and chose a password"],
    "user.password": isOwn ? ["chose another password"] : ["changed the password of ", who],
    "user.sso": was ? ["came by single sign-on as ", is ?? "a user"] : ["became a user by single sign-on"],
    "user.first-admin": ["made the first admin, ", who],
  };
  return (Object.hasOwn(said, about) ? said[about] : undefined) ?? ["changed the user ", who];
}

/** What people tried, by the name of the action that refused them. */
const attempts: Readonly<Record<string, string>> = {
  "sign-in": "sign in",
  "lists.add": "add to a list",
  "lists.remove": "remove from a list",
  "lists.extend": "extend entries",
  "lists.tag": "change tags of entries",
  "lists.set-expiry": "change when entries expire",
  "lists.import": "import entries",
  "lists.preview": "see what a change of the lists would do",
  "lists.restore": "restore the lists",
  "lists.dismiss-loss": "leave the lists as they came back",
  "customer.tier": "move a customer to another tier",
  "customer.override": "give a customer levels of its own",
  "customer.override.clear": "take a customer's own levels away",
  "customer.suspend": "suspend a customer",
  "customer.resume": "resume a customer",
  "customer.reset": "reset a customer's counters",
  "never-block.add": "protect a range",
  "never-block.remove": "let a protected range be blocked",
  "limit.set": "change a limit of code",
  "link.set": "set a link to another system",
  "link.remove": "remove a link to another system",
  token: "use the API",
  "api.read": "read over the API",
  "token.create": "create an API token",
  "token.revoke": "revoke an API token",
  "note.add": "add a note",
  "note.remove": "remove a note",
  "note.ticket": "set a ticket",
  "policy.mode": "switch the mode",
  "policy.set": "save the policy",
  "policy.roll-back": "roll the policy back",
  "override.set": "change the limits of a group or pattern of customers",
  "override.remove": "remove the limits of a group or pattern of customers",
  "override.preview": "see what limits of a group or pattern of customers would do",
  "feed.add": "add a feed",
  "feed.change": "change a feed",
  "feed.remove": "remove a feed",
  "feed.refresh": "refresh a feed",
  "feed.decide": "decide about new contents of a feed",
  "feed.preview": "see what a feed would do",
  "alarm.add": "add a destination of alarms",
  "alarm.change": "change a destination of alarms",
  "alarm.remove": "remove a destination of alarms",
  "alarm.test": "send a test to a destination of alarms",
  "alarm.condition": "change when alarms are raised",
  "alarm.acknowledge": "acknowledge an incident",
  "alarm.resend": "send an alarm again",
  "request.make": "ask staff for a change",
  "request.decide": "decide about a request",
  "denials.retention": "change how long the denial log is kept",
  "edge.switch": "switch limiting at the edge on or off",
  "edge.clear": "let clients in again at the edge",
  "user.role": "change a role",
  "user.invite": "invite a user",
  "user.remove": "remove a user",
  "user.reset": "reset a password",
  "user.password": "change a password",
  undo: "undo a change",
};

const refused = "refused:";

/** What was refused: "add to a list". Undefined for what was done. */
export function sayAttempt({ action }: Pick<AuditRecord, "action">): Phrase | undefined {
  if (!action.startsWith(refused)) return undefined;
  const attempt = action.slice(refused.length);
  const words = Object.hasOwn(attempts, attempt) ? attempts[attempt] : undefined;
  return words ? [words] : ["do ", named(attempt)];
}

/** What an action of another version did. */
function sayUnknown({ changes }: AuditRecord, about: string): Phrase {
  const targets = enumerated(
    changes.map(({ target }) => named(target)),
    mostNamed,
  );
  return changes.length === 0 ? ["did ", named(about)] : ["did ", named(about), " on ", ...targets];
}
