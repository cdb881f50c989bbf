import type { CountReader } from "../../../lib/customers/usage.ts";
import { createScales } from "../../../lib/limits/scales.ts";
import { atHome } from "../../../lib/redis/home.ts";
import type { Console } from "../../_server/console.ts";

/** People rather wait than see no number, but not for long. */
const withinMs = 1_000;

/** Tells what is counted, and charges nothing: one of it in a process. */
export function countsOf({ counters }: Console): CountReader {
  return atHome("console counts", () => createScales(counters, { withinMs }));
}
