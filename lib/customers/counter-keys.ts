import type { Plan } from "../limits/plan.ts";
import { Recipe } from "../limits/recipe.ts";
import type { CountersConnection } from "../redis/connect.ts";
import { counterClient } from "../redis/keys.ts";

/** Where a client's counters of a plan stand now. */
export async function counterKeys(
  counters: CountersConnection,
  plan: Plan,
  client: string,
): Promise<readonly string[]> {
  const recipe = new Recipe(plan, counters.isCluster);
  const [seconds = 0, micros = 0] = await counters.time();
  recipe.turnTo(Number(seconds) * 1_000_000 + Number(micros));
  const tail = recipe.tail(counterClient(client));
  return recipe.prefixes.map((prefix) => `${prefix}${tail}`);
}
