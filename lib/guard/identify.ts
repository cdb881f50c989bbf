import { atHome } from "../redis/home.ts";
import type { GuardRequest } from "./guard.ts";

/** What an app knows of a request beyond its address: user, customer, cost. */
export type Known = Partial<GuardRequest>;

/** What the app's own function says; nothing when it fails, because a guard must not break the site it guards. */
export async function knownBy(
  identify: () => Known | undefined | Promise<Known | undefined>,
): Promise<Known> {
  try {
    return (await identify()) ?? {};
  } catch (error) {
    const told = atHome("identify-failures", () => ({ count: 0 }));
    if (told.count++ === 0) console.warn("sluice: identify failed, so requests count as anonymous:", error);
    return {};
  }
}
