import { type AuditRecord, aboutOf } from "../../manage/audit/record.ts";
import { modeOf, versionOf } from "../../manage/undo/undoable.ts";

/** A record in two or three words, for narrow charts: "mode off", "policy 41", "blocked 3", "customer limits". */
export function shortRecord(record: AuditRecord): string {
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
