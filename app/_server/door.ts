import type { Door } from "../../lib/auth/door.ts";
import { argon2id } from "../../lib/auth/password.ts";
import { refusedSignIns } from "../../lib/auth/refused-sign-ins.ts";
import { SignInLimits } from "../../lib/auth/sign-in-limits.ts";
import { atHome } from "../../lib/redis/home.ts";
import { theConsole } from "./console.ts";

/** One in a process: it counts along what it has seen. */
export function theDoor(): Door {
  return atHome("door", () => {
    const { redis, counters, seal } = theConsole();
    return {
      ...{ redis, seal, passwords: argon2id, limits: new SignInLimits(counters) },
      refused: refusedSignIns({ redis, seal }, console.warn),
    };
  });
}
