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
    const { seen, flagged, shown, isComplete } = await walk(redis);
    const part = isComplete
      ? ""
      : ` The check stopped after ${readForMs / 1_000} s: not all customers were read.`;
    if (flagged > 0) {
      const more = flagged > shown.length ? ` The first ${shown.length} are shown.` : "";
      const what = `${flagged} of ${plural(seen, "customer")} have settings that are not enforced.${part}${more}`;
      const cure = "Correct them with sluice customer tier or sluice customer limit.";
      return [problem(what, { cure, details: shown })];
    }
    if (!isComplete) return [note(`${plural(seen, "customer")} read, all enforced.${part}`)];
    return [
      ok(seen === 0 ? "No customer has a tier or levels." : `${plural(seen, "customer")}, all enforced.`),
    ];
  },
};

async function walk(redis: Connection) {
  const deadline = performance.now() + readForMs;
  const shown: string[] = [];
  let [seen, flagged] = [0, 0];
  for (let cursor: string | null = "0"; ; ) {
    const page: Awaited<ReturnType<typeof listCustomers>> = await listCustomers(redis, { cursor });
    for (const { id, flags } of page.customers) {
      seen++;
      if (flags.length === 0) continue;
      flagged++;
      if (shown.length < mostShown) shown.push(`${id}: ${flags.join("; ")}`);
    }
    cursor = page.cursor;
    if (cursor === null || performance.now() > deadline) {
      return { seen, flagged, shown, isComplete: cursor === null };
    }
  }
}
