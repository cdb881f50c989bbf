import { listCustomers } from "../customers/list.ts";
import type { Connection } from "../redis/connect.ts";
import { counted } from "./counted.ts";
import { type Check, note, ok, problem } from "./finding.ts";

const mostTold = 100;
/** A million customers take longer than anybody waits for a doctor. */
const lookForMs = 3_000;

export const customers: Check = {
  name: "customers",
  isThorough: true,
  async look({ redis }) {
    const { seen, flagged, told, isComplete } = await walk(redis);
    const part = isComplete ? "" : ` These are not all: it stopped after ${lookForMs / 1_000} s.`;
    if (flagged > 0) {
      const more = flagged > told.length ? ` The first ${told.length} are shown.` : "";
      const what = `${flagged} of ${counted(seen, "customer")} have something that nobody obeys.${part}${more}`;
      const cure = "Set them right: sluice customer tier, sluice customer limit.";
      return [problem(what, { cure, details: told })];
    }
    if (!isComplete) return [note(`${counted(seen, "customer")} looked at, and all are obeyed.${part}`)];
    return [
      ok(seen === 0 ? "No customer has a tier or levels." : `${counted(seen, "customer")}, all obeyed.`),
    ];
  },
};

async function walk(redis: Connection) {
  const deadline = performance.now() + lookForMs;
  const told: string[] = [];
  let [seen, flagged] = [0, 0];
  for (let cursor: string | null = "0"; ; ) {
    const page: Awaited<ReturnType<typeof listCustomers>> = await listCustomers(redis, { cursor });
    for (const { id, flags } of page.customers) {
      seen++;
      if (flags.length === 0) continue;
      flagged++;
      if (told.length < mostTold) told.push(`${id}: ${flags.join("; ")}`);
    }
    cursor = page.cursor;
    if (cursor === null || performance.now() > deadline) {
      return { seen, flagged, told, isComplete: cursor === null };
    }
  }
}
