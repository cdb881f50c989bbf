import { errorLineWithStack } from "../../errors.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import type { GuardRequest } from "./request.ts";

/** What an app knows of a request beyond its address: user, customer, cost. */
export type Known = Partial<GuardRequest>;

/** What an app's `identify` may return. A property that is undefined leaves what the request itself says. */
export type Identified = Known | undefined | Promise<Known | undefined>;

/** What the app's own function returns; empty when it fails, because a guard must not break the site it guards. */
export async function knownBy(identify: () => Identified): Promise<Known> {
  try {
    const known = (await identify()) ?? {};
    return Object.values(known).includes(undefined) ? withoutUndefined(known) : known;
  } catch (error) {
    const failures = oncePerProcess("identify-failures", () => ({ count: 0 }));
    if (failures.count++ === 0)
      console.warn(`sluice: identify failed. Requests count as anonymous. ${errorLineWithStack(error)}`);
    return {};
  }
}

function withoutUndefined(known: Known): Known {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}
