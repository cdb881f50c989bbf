import { randomBytes } from "node:crypto";
import type { Connection } from "../redis/connect.ts";
import { keys } from "../redis/keys.ts";
import { lua } from "../redis/lua.generated.ts";
import { defineScript } from "../redis/script.ts";
import { type Dictionary, EdgeError } from "./dictionary.ts";

const hourMs = 3_600_000;

interface Asked {
  readonly dictionary: string;
  readonly most: number;
}

const script = defineScript({
  lua: lua.edgeLeave,
  keys: ({ dictionary }: Asked) => [keys.edgeCalls(dictionary)],
  args: ({ most }) => [most, randomBytes(9).toString("base64url")],
  reply: ([made, waitMs]: [number, number]) => ({ made, waitMs }),
});

/** The hour's calls to a dictionary, counted in Redis: no restart and no second process makes more of them. */
export class Budget {
  readonly #redis: Connection;
  readonly #dictionary: Dictionary;
  /** In the last hour, as far as this process knows. */
  made = 0;

  constructor(redis: Connection, dictionary: Dictionary) {
    this.#redis = redis;
    this.#dictionary = dictionary;
  }

  /** While Redis cannot count, no call is made. */
  async askLeave(): Promise<void> {
    const { name, account = name, callsAnHour, callsALook = 1 } = this.#dictionary;
    if (callsAnHour === undefined) return;
    const asked = { dictionary: account, most: callsAnHour };
    const { made, waitMs } = await script.run(this.#redis, asked).catch((cause: unknown) => {
      throw new EdgeError("Redis does not count the calls, so none is made.", { cause });
    });
    this.made = made;
    if (waitMs === 0) return;
    const message = `All ${callsAnHour} calls of this hour are made. It goes on by itself.`;
    // Who went on with the first that is free would spend it on the beginning of a look, and so each that follows.
    throw new EdgeError(message, { retryAfterMs: waitMs + callsALook * (hourMs / callsAnHour) });
  }

  /** How long to leave it alone between calls: the fuller the hour, the longer, so that some are always left. */
  get gapMs(): number {
    const { callsAnHour } = this.#dictionary;
    if (callsAnHour === undefined) return 0;
    const used = this.made / callsAnHour;
    return used < 0.5 ? 0 : (used < 0.9 ? 2 : 8) * (hourMs / callsAnHour);
  }

  /** After trouble it must be looked at before anything is changed. */
  get gapAfterTroubleMs(): number {
    return this.gapMs * (this.#dictionary.callsALook ?? 1);
  }
}
