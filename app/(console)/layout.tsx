import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { type Standing, withTrouble } from "@/components/console/standing.ts";
import { ConsoleShell } from "@/components/shell/console-shell.tsx";
import { theConsole } from "@/lib/console/console.ts";
import { failureOf } from "@/lib/console/failure.ts";
import { inTime } from "@/lib/console/in-time.ts";
import { pageWaitMs } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { statusOf } from "@/lib/console/status/read-status.ts";
import { noteSilence, redisAwaySince } from "@/lib/console/status/redis-away.ts";
import { ReadError } from "@/lib/queries/query.ts";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  return <ConsoleShell initial={await firstStanding()}>{children}</ConsoleShell>;
}

/** Empty if the status takes longer than a page waits, unless Redis is known to be away. The browser then reads it. */
async function firstStanding(): Promise<Standing> {
  const first = await inTime(readStanding(), pageWaitMs);
  const since = redisAwaySince();
  return first ?? (since === undefined ? {} : redisAway(since));
}

function redisAway(since: number): Standing {
  return withTrouble({}, new ReadError(503, "Redis does not answer."), since);
}

/** Without Redis no session can be checked, so the shell only shows the outage. */
async function readStanding(): Promise<Standing> {
  try {
    return { known: await statusOf(theConsole(), await requireSignedIn()) };
  } catch (error) {
    unstable_rethrow(error);
    if (failureOf(error, "read").code !== "redis-unavailable") throw error;
    return redisAway(noteSilence(Date.now()));
  }
}
