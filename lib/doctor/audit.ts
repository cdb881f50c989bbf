import { verifyChain } from "../audit/chain.ts";
import type { Seal } from "../audit/seal.ts";
import { countPending } from "../bans/pending.ts";
import type { Connection } from "../redis/connect.ts";
import { counted } from "./counted.ts";
import { type Check, note, ok, problem } from "./finding.ts";

export const audit: Check = {
  name: "audit",
  isThorough: true,
  async look({ redis, seal }) {
    return [await judgeLog(redis, seal), ...(await judgePending(redis))];
  },
};

async function judgeLog(redis: Connection, seal: Seal | undefined) {
  if (!seal) {
    return note(
      "NEXTAUTH_SECRET is not set, so the audit log cannot be verified and nothing can be changed from here.",
    );
  }
  const { records, problems, problemCount } = await verifyChain(redis, seal);
  if (problemCount === 0) return ok(`The audit log is whole: ${counted(records, "record")}.`);
  const cure = "Find out who can write to Redis, and compare with a backup.";
  const what = `The audit log does not verify: ${counted(problemCount, "fault")} in ${counted(records, "record")}`;
  return problem(`${what}.`, { cure, details: problems });
}

async function judgePending(redis: Connection) {
  const pending = await countPending(redis);
  if (pending === 0) return [];
  const what = counted(pending, "ban waits to be sealed", "bans wait to be sealed");
  return [note(`${what}.`, { cure: "A running console does it within seconds, and so does any change." })];
}
