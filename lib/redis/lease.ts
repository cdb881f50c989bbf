import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Connection } from "./connect.ts";
import { keys } from "./keys.ts";
import { lua } from "./lua.generated.ts";
import { defineScript } from "./script.ts";

interface LeaseRequest {
  readonly name: string;
  readonly who: string;
  readonly ms: number;
}

const take = defineScript({
  lua: lua.lease,
  keys: ({ name }: LeaseRequest) => [keys.lease(name)],
  args: ({ who, ms }) => [who, ms],
  reply: (isTheirs: number) => isTheirs === 1,
});

const giveBack = defineScript({
  lua: lua.returnLease,
  keys: ({ name }: Pick<LeaseRequest, "name" | "who">) => [keys.lease(name)],
  args: ({ who }) => [who],
  reply: (wasTheirs: number) => wasTheirs === 1,
});

/** Elects one process for a job. If the holder dies, another takes over when the lease expires. */
export class Lease {
  readonly #redis: Connection;
  readonly #name: string;
  readonly #ms: number;
  /** What the lease holds while it is ours, for scripts that check that. */
  readonly holder = randomBytes(9).toString("base64url");
  #isRefused = false;

  constructor(redis: Connection, name: string, ms = 8_000) {
    this.#redis = redis;
    this.#name = name;
    this.#ms = ms;
  }

  get name(): string {
    return this.#name;
  }

  /** True when this account may not use the lease. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Also to be asked again while the work goes on, more often than the lease lasts. In doubt it is not ours. */
  isOurs(): Promise<boolean> {
    return this.take().catch((error: unknown) => {
      this.#isRefused = isRefusal(error);
      return false;
    });
  }

  /** The same. Throws what prevents that the lease is asked for. */
  take(): Promise<boolean> {
    return take.run(this.#redis, { name: this.#name, who: this.holder, ms: this.#ms });
  }

  async release(): Promise<void> {
    await giveBack.run(this.#redis, { name: this.#name, who: this.holder }).catch(() => false);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && /\bNOPERM\b|ACL failure/.test(error.message);
}

/** Works again and again, with a pause after each time, and keeps no process alive. Resolves once the signal has ended it. */
export async function repeat(
  signal: AbortSignal,
  everyMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await work();
    await pause(everyMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
