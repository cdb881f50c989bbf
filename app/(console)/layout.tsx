import { setTimeout as pause } from "node:timers/promises";
import { unstable_rethrow } from "next/navigation";
import type { ReactNode } from "react";
import { type Standing, withTrouble } from "../../components/shell/standing.ts";
import { ReadError } from "../../lib/queries/query.ts";
import { theConsole } from "../_server/console.ts";
import { failureOf } from "../_server/failure.ts";
import { requireSignedIn } from "../_server/session.ts";
import { statusOf } from "../api/status/status-of.ts";
import { ConsoleShell } from "./_shell/console-shell.tsx";

const patienceMs = 1_500;

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  return <ConsoleShell initial={await firstStanding()}>{children}</ConsoleShell>;
}

/** While Redis is away nobody can be known to be signed in: the shell then shows nothing but that, and waits. */
async function firstStanding(): Promise<Standing> {
  const answer = readStanding();
  const tooLate = pause(patienceMs, undefined, { ref: false }).then(redisAway);
  return Promise.race([answer, tooLate]);
}

async function readStanding(): Promise<Standing> {
  try {
    return { known: await statusOf(theConsole(), await requireSignedIn()) };
  } catch (error) {
    unstable_rethrow(error);
    if (failureOf(error).code !== "redis-unavailable") throw error;
    return redisAway();
  }
}

function redisAway(): Standing {
  return withTrouble({}, new ReadError(503, "Redis does not answer."), Date.now());
}
