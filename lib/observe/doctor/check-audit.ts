import { countPending } from "../../enforce/lists/pending-ban.ts";
import { type AuditEnd, verifyChain } from "../../manage/audit/chain.ts";
import type { Seal } from "../../manage/audit/seal.ts";
import type { Connection } from "../../redis/connect.ts";
import { type Check, note, ok, plural, problem } from "./finding.ts";

export const audit: Check = {
  name: "audit",
  isThorough: true,
  async run({ redis, seal, seenEnd }) {
    return [await judgeLog(redis, seal, seenEnd?.()), ...(await judgePending(redis))];
  },
};

async function judgeLog(redis: Connection, seal: Seal | undefined, seen: AuditEnd | undefined) {
  if (!seal) {
    return note(
      "NEXTAUTH_SECRET is not set. The audit log cannot be verified, and nothing can be changed from here.",
    );
  }
  const { records, problems, problemCount } = await verifyChain(redis, seal, { seen });
  if (problemCount === 0) return ok(`The audit log is intact: ${plural(records, "record")}.`);
  const cure =
    "Find out who can write to Redis, and compare with a backup. If a new log was started on purpose, restart the console.";
  const what = `The audit log failed verification: ${plural(problemCount, "fault")} in ${plural(records, "record")}`;
  return problem(`${what}.`, { cure, details: problems });
}

async function judgePending(redis: Connection) {
  const pending = await countPending(redis);
  if (pending === 0) return [];
  const what = plural(pending, "ban has no audit record yet", "bans have no audit record yet");
  return [
    note(`${what}.`, {
      cure: "A running console writes the records within seconds, and so does any change.",
    }),
  ];
}
