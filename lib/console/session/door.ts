import type { PasswordContext } from "../../manage/users/check-password.ts";
import { argon2id } from "../../manage/users/password.ts";
import { refusedSignIns } from "../../manage/users/refused-sign-ins.ts";
import { SignInLimits } from "../../manage/users/sign-in-limits.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { theConsole } from "../console.ts";

/** One in a process: it counts along what it has seen. */
export function theDoor(): PasswordContext {
  return oncePerProcess("door", () => {
    const { redis, seal } = theConsole();
    return {
      ...{ redis, seal, passwords: argon2id, limits: new SignInLimits(redis) },
      refused: refusedSignIns({ redis, seal }, console.warn),
    };
  });
}
