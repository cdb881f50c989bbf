import { randomBytes } from "node:crypto";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { lua } from "../../redis/lua.generated.ts";
import { defineScript } from "../../redis/script.ts";
import { type Dictionary, EdgeError } from "./dictionary.ts";

const hourMs = 3_600_000;

interface CallRequest {
  readonly account: string;
  readonly most: number;
}

const script = defineScript({
  lua: lua.edgeLeave,
  keys: ({ account }: CallRequest) => [keys.edgeCalls(account)],
  args: ({ most }) => [most, randomBytes(9).toString("base64url")],
  reply: ([made, waitMs]: [number, number]) => ({ made, waitMs }),
});

/** Calls to a dictionary in an hour. Redis counts them, so a restart or a second process does not raise their number. */
export class Budget {
  readonly #redis: Connection;
  readonly #dictionary: Dictionary;
  /** Calls of the last hour, as far as this process knows. */
  made = 0;

  constructor(redis: Connection, dictionary: Dictionary) {
    this.#redis = redis;
    this.#dictionary = dictionary;
  }

  /** Takes one call. Rejects if none is left, or if Redis cannot count. */
  async takeCall(): Promise<void> {
    const { name, account = name, callsAnHour, callsARead = 1 } = this.#dictionary;
    if (callsAnHour === undefined) return;
    const request = { account, most: callsAnHour };
    const { made, waitMs } = await script.run(this.#redis, request).catch((cause: unknown) => {
      throw new EdgeError("Redis cannot count the calls. No call is made.", { cause });
    });
    this.made = made;
    if (waitMs === 0) return;
    const message = `All ${callsAnHour} calls of this hour are made. The sync continues when calls are free.`;
    // Waits until a full read fits: each call that becomes free before would be spent on a partial read.
    throw new EdgeError(message, { retryAfterMs: waitMs + callsARead * (hourMs / callsAnHour) });
  }

  /** Pause between calls. It grows with the calls made, so that some are always left. */
  get gapMs(): number {
    const { callsAnHour } = this.#dictionary;
    if (callsAnHour === undefined) return 0;
    const used = this.made / callsAnHour;
    return used < 0.5 ? 0 : (used < 0.9 ? 2 : 8) * (hourMs / callsAnHour);
  }

  /** Pause after a failure: the next attempt reads the dictionary before it changes anything. */
  get gapAfterTroubleMs(): number {
    return this.gapMs * (this.#dictionary.callsARead ?? 1);
  }
}
