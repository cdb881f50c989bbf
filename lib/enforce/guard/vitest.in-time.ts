import type { Verdict } from "./verdict.ts";

/** A pause of this very process delays verdict and time limit alike: it begins when what is asked has been sent. */
export async function inTime(asked: Promise<Verdict>, withinMs = 150): Promise<Verdict> {
  await turns(2);
  const limit = new Promise((resolve) => setTimeout(resolve, withinMs)).then(() => turns(3));
  const found = await Promise.race([asked, limit]);
  if (!found) throw new Error(`no verdict within ${withinMs} ms`);
  return found;
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
}
