import { z } from "zod";
import type { Happening } from "../../manage/alarms/happening.ts";
import { readHistory } from "../../manage/audit/history.ts";
import { type AuditRecord, aboutOf } from "../../manage/audit/record.ts";
import { isDamaged } from "../../manage/audit/stored.ts";
import { refusedAttempts } from "../../manage/users/refused-sign-ins.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { plainly } from "../records/pieces.ts";
import { sayRecord } from "../records/record-words.ts";

const schema = z.object({
  /** Number of the last record that was read. */
  n: z.number(),
  /** Refused sign-ins of the last minutes. */
  refused: z.array(z.object({ at: z.number(), count: z.number() })),
});
type AuditMemory = z.output<typeof schema>;

const mostRecords = 500;
const refusedWithinMs = 10 * 60_000;
const mostRefused = 10;
const longestText = 300;

/** What the audit log says that alarms are about, once each. @param memory of the pass before: the first pass begins with the next record */
export async function readAuditEvents(
  redis: Connection,
  memory: string | undefined,
): Promise<{ readonly events: readonly Happening[]; readonly memory: string }> {
  const parsed = schema.safeParse(parseObject(memory ?? ""));
  const before: AuditMemory | undefined = parsed.success ? parsed.data : undefined;
  const found = await readHistory(redis, {
    ...{ limit: before ? mostRecords : 1, mostScanned: mostRecords },
    ...(before && { after: before.n }),
  });
  const newest = found.records[0]?.n;
  if (!before) return { events: [], memory: JSON.stringify({ n: newest ?? 0, refused: [] }) };
  const records = found.records.flatMap((row) => (isDamaged(row) ? [] : [row])).reverse();
  const events: Happening[] = [];
  let { refused } = before;
  for (const record of records) {
    const at = Date.parse(record.at);
    if (record.action === "refused:sign-in") {
      const attempts = refusedAttempts(record.reason);
      refused = [...refused.filter((one) => one.at > at - refusedWithinMs), { at, count: attempts.count }];
      const count = refused.reduce((sum, one) => sum + one.count, 0);
      if (count >= mostRefused || attempts.isSlowdown) events.push(signInEvent(record, count));
    } else {
      const event = eventOf(record);
      if (event) events.push(event);
    }
  }
  return { events, memory: JSON.stringify({ n: Math.max(before.n, newest ?? 0), refused }) };
}

function eventOf(record: AuditRecord): Happening | undefined {
  const about = aboutOf(record);
  const text = `${record.actor} ${plainly(sayRecord(record))}`.slice(0, longestText);
  const at = Date.parse(record.at);
  if (record.action.startsWith("refused:")) return undefined;
  if (about === "blocklist.ban" && !record.undoes) {
    const rule = record.via.replace(/^auto:/, "");
    const path = `/blocklist?q=${encodeURIComponent(record.changes[0]?.target ?? "")}`;
    const title = `Rule ${rule} bans clients`;
    return {
      kind: "ban",
      cause: `ban ${rule}`,
      title,
      text: text.replace(record.actor, `Rule ${rule}`),
      path,
      at,
    };
  }
  const path = `/audit?record=${record.n}`;
  if (about === "policy.mode")
    return {
      kind: "mode",
      cause: "mode",
      title: "The mode was switched",
      text: withReason(record, text),
      path,
      at,
    };
  if (about.startsWith("policy.") || about.startsWith("limit."))
    return {
      kind: "policy",
      cause: "policy",
      title: "The policy was changed",
      text: withReason(record, text),
      path,
      at,
    };
  return undefined;
}

function withReason({ reason }: AuditRecord, text: string): string {
  return reason === "" ? text : `${text}: ${reason}`.slice(0, longestText);
}

function signInEvent({ reason, address, at }: AuditRecord, count: number): Happening {
  const from = address === undefined ? "" : ` from ${address}`;
  return {
    ...{ kind: "sign-in", cause: "sign-in", title: "Sign-ins are refused", path: "/audit?action=sign-in" },
    ...{
      text: `${count} within 10 min. The last${from}: ${reason}`.slice(0, longestText),
      at: Date.parse(at),
    },
  };
}
