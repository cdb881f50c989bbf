import { environment } from "../../env.ts";
import { noteTierEnds } from "../../manage/customers/note-tier-ends.ts";
import { EndNoter } from "../../manage/policy/note-ended.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

/** Notes what has ended of the policy, and of the tiers of customers, while this console runs. Of all consoles, one does. */
export function theEndNoter(): EndNoter | undefined {
  return oncePerProcess("end noter", () => {
    if (environment().redisUrl === undefined || environment().secret === undefined) return undefined;
    const { redis, seal } = theConsole();
    const noter = new EndNoter({ context: { redis, seal }, noteOthers: noteTierEnds });
    void noter.run();
    return noter;
  });
}
