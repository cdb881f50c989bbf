import { beforeEach } from "vitest";
import type { testLog } from "../audit/vitest.log.ts";
import type { PasswordContext } from "./check-password.ts";
import { argon2id } from "./password.ts";
import type { Passwords } from "./passwords.ts";
import { type RefusedSignIns, refusedSignIns } from "./refused-sign-ins.ts";
import { SignInLimits } from "./sign-in-limits.ts";

/** The context of password checks on the server of a test log, with a clock of its own. */
export function testPasswordChecks(log: ReturnType<typeof testLog>) {
  let seconds = 0;
  let refused: RefusedSignIns;
  let door: PasswordContext;
  beforeEach(() => {
    const { redis, seal } = log.signed();
    seconds = 1_790_000_000;
    refused = refusedSignIns({ redis, seal }, () => {});
    const limits = new SignInLimits(redis, { clock: () => seconds * 1_000_000 });
    door = { redis, seal, limits, refused, passwords: argon2id };
  });
  return {
    get door() {
      return door;
    },
    with: (passwords: Passwords): PasswordContext => ({ ...door, passwords }),
    pass(bySeconds: number) {
      seconds += bySeconds;
    },
    flush: () => refused.flush(),
  };
}
