import { nodesBefore, suspensionFormat } from "../../enforce/policy/versions.ts";
import type { Connection } from "../../redis/connect.ts";
import { listCustomers } from "../customers/search.ts";
import { type Check, note, ok, plural, problem } from "./finding.ts";

const mostShown = 100;
/** Time limit of the check in ms. Reading a million customers takes longer. */
const readForMs = 3_000;

export const customers: Check = {
  name: "customers",
  isThorough: true,
  async run({ redis }) {
    const { seen, flagged, suspended, shown, isComplete } = await walk(redis);
    const late = suspended > 0 ? await notEnforcing(redis, suspended) : [];
    const part = isComplete
      ? ""
      : ` The check stopped after ${readForMs / 1_000} s: not all customers were read.`;
    if (flagged > 0) {
      const more = flagged > shown.length ? ` The first ${shown.length} are shown.` : "";
      const what = `${flagged} of ${plural(seen, "customer")} have settings that are not enforced.${part}${more}`;
      const cure = "Correct them with sluice customer tier or sluice customer limit.";
      return [problem(what, { cure, details: shown }), ...late];
    }
    if (!isComplete) return [note(`${plural(seen, "customer")} read, all enforced.${part}`), ...late];
    if (late.length > 0) return late;
    const which = suspended > 0 ? `, ${suspended} of them suspended` : "";
    return [
      ok(
        seen === 0
          ? "No customer has a tier or levels, or is suspended."
          : `${plural(seen, "customer")}${which}, all enforced.`,
      ),
    ];
  },
};

/** Problem that live nodes of earlier versions let suspended customers pass. */
async function notEnforcing(redis: Connection, suspended: number) {
  const older = await nodesBefore(redis, suspensionFormat);
  if (older.length === 0) return [];
  const says = `${plural(suspended, "customer")} suspended, but ${plural(older.length, "node")} of an earlier version ${older.length === 1 ? "does" : "do"} not enforce it: ${older.map(({ id }) => id).join(", ")}.`;
  return [problem(says, { cure: "Upgrade these nodes." })];
}

async function walk(redis: Connection) {
  const deadline = performance.now() + readForMs;
  const shown: string[] = [];
  let [seen, flagged, suspended] = [0, 0, 0];
  for (let cursor: string | null = "0"; ; ) {
    const page: Awaited<ReturnType<typeof listCustomers>> = await listCustomers(redis, { cursor });
    for (const { id, suspension, flags } of page.customers) {
      seen++;
      if (suspension) suspended++;
      if (flags.length === 0) continue;
      flagged++;
      if (shown.length < mostShown) shown.push(`${id}: ${flags.join("; ")}`);
    }
    cursor = page.cursor;
    if (cursor === null || performance.now() > deadline) {
      return { seen, flagged, suspended, shown, isComplete: cursor === null };
    }
  }
}
