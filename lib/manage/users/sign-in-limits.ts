import { setTimeout as pause } from "node:timers/promises";
import { at } from "../../at.ts";
import type { Ip } from "../../ip/parse.ts";
import type { Connection } from "../../redis/connect.ts";
import { readSignInOf, readSignIns } from "./sign-in.ts";
import { isShared, signInClient, signInNetwork } from "./sign-in-client.ts";
import { FailureCounts, type Failures } from "./sign-in-failures.ts";
import {
  levelsOfAddress,
  levelsOfAttempt,
  type SignInLevel,
  slowAfterShared,
  slowdown,
} from "./sign-in-levels.ts";
import { SlowTurns } from "./slow-turns.ts";

/** How many attempts a sign-in has left. */
export interface Attempts {
  /** Infinity where attempts are slowed down and never refused. */
  readonly left: number;
  /** What `left` is counted down from. */
  readonly of: number;
  /** Until the next attempt is allowed; 0 while some are left. */
  readonly waitMs: number;
}

/** Where an attempt comes from. */
export interface SignInOrigin {
  readonly address: Ip | undefined;
  /** The address says that it forwards for others, and is not among the trusted proxies. */
  readonly isForwarded?: boolean | undefined;
}

export interface SignInLimitsOptions {
  /** Microseconds; for tests, instead of the clocks of Redis and of this process. */
  readonly clock?: () => number;
  /** For tests, instead of a timer. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

export type AttemptResult<T> =
  | { readonly done: T }
  | {
      readonly failed: Attempts;
      readonly isTried: boolean;
      /** Set for the failure from which on attempts for this account are slowed down. */
      readonly beginsSlowdown?: true;
    };

const answerWithinMs = 250;

/**
 * Only failures are counted. Attempts from one address run one after the other, so that parallel attempts see each other's
 * failures; each process runs one at a time. While Redis does not answer, this process counts by the same rules. An account
 * with many failures from any address is slowed down and never locked, or a stranger could lock it: its attempts take turns,
 * except those from the address of its last sign-in. Attempts from an address that many people share are slowed down, too.
 */
export class SignInLimits {
  readonly #redis: Connection;
  readonly #clock: (() => number) | undefined;
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #counts: FailureCounts;
  readonly #slow: SlowTurns;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(redis: Connection, options: SignInLimitsOptions = {}) {
    this.#redis = redis;
    this.#clock = options.clock;
    this.#pause = options.pause ?? pause;
    this.#counts = new FailureCounts(redis);
    this.#slow = new SlowTurns({ delayMs: slowdown.delayMs, pause: this.#pause });
  }

  /** The attempts left for an address, for any account. */
  async attempts(origin: SignInOrigin): Promise<Attempts> {
    const levels = levelsOfAddress(origin.address, await this.#isShared(origin));
    return attemptsIn(levels, await this.#ask(levels, false));
  }

  /**
   * Does the work if an attempt is left, and counts it if it fails.
   * @param account any text: accounts that do not exist count as those that do
   */
  async attempt<T>(
    { account, ...origin }: SignInOrigin & { readonly account: string },
    work: () => Promise<T | undefined>,
  ): Promise<AttemptResult<T>> {
    const isOfMany = await this.#isShared(origin);
    const levels = levelsOfAttempt(origin.address, account, isOfMany);
    const before = await this.#ask(levels, false);
    const room = attemptsIn(levels, before);
    if (room.left === 0) return { failed: room, isTried: false };
    // Outside of the turn of the address: a slow account must not hold up others from there.
    if (countOfAccount(before) >= slowdown.after) {
      const isNext = (await this.#isKnown(origin, account)) || (await this.#slow.wait(account));
      if (!isNext) return { failed: { left: 0, of: room.of, waitMs: this.#slow.longestMs }, isTried: false };
    } else if (isOfMany && at(before, 0).count >= slowAfterShared) await this.#pause(slowdown.delayMs);
    const attempt = () => this.#try(levels, work);
    // With one line for all clients behind a proxy, a stranger could make it as long as they like.
    return isOfMany ? attempt() : this.#inTurn(signInClient(origin.address), attempt);
  }

  async #try<T>(
    levels: readonly SignInLevel[],
    work: () => Promise<T | undefined>,
  ): Promise<AttemptResult<T>> {
    const failed = attemptsIn(levels, await this.#ask(levels, false));
    if (failed.left === 0) return { failed, isTried: false };
    const done = await work();
    if (done !== undefined) return { done };
    const after = await this.#ask(levels, true);
    const begins = countOfAccount(after) === slowdown.after;
    return {
      ...{ failed: attemptsIn(levels, after), isTried: true },
      ...(begins && { beginsSlowdown: true as const }),
    };
  }

  /**
   * Whether many people may share this address. Any client can claim that it forwards for others, and would then have no
   * limits. A public address therefore counts as a proxy only after a user has signed in from there.
   */
  async #isShared({ address, isForwarded = false }: SignInOrigin): Promise<boolean> {
    if (isShared(address)) return true;
    if (!isForwarded) return false;
    const client = signInClient(address);
    const signIns = await this.#soon(readSignIns(this.#redis), new Map());
    return [...signIns.values()].some(
      (signIn) => signIn.address != null && signInClient(signIn.address) === client,
    );
  }

  /** Whether the account signed in last from this address, or from its IPv6 network. */
  async #isKnown({ address, isForwarded = false }: SignInOrigin, account: string): Promise<boolean> {
    if (isForwarded || isShared(address)) return false;
    const last = (await this.#soon(readSignInOf(this.#redis, account), undefined))?.address;
    return last != null && networkOf(last) === networkOf(address);
  }

  async #ask(levels: readonly SignInLevel[], isAdding: boolean): Promise<Failures[]> {
    const now = this.#clock && Math.floor(this.#clock() / 1_000);
    const { answer, remembered } = this.#counts.ask({ levels, isAdding, now });
    return this.#soon(answer, remembered);
  }

  /** The answer of Redis, or `otherwise` if Redis does not answer in time. */
  async #soon<T>(answer: Promise<T>, otherwise: T): Promise<T> {
    const tooLate = pause(answerWithinMs, otherwise, { ref: false });
    return Promise.race([answer.catch(() => otherwise), tooLate]);
  }

  async #inTurn<T>(client: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(client) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#turns.set(client, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(client) === mine) this.#turns.delete(client);
    }
  }
}

const networkOf = (address: Ip | undefined) => signInNetwork(address) ?? signInClient(address);

/** The account's own level is the last. */
function countOfAccount(failures: readonly Failures[]): number {
  return at(failures, failures.length - 1).count;
}

function attemptsIn(levels: readonly SignInLevel[], failures: readonly Failures[]): Attempts {
  let [left, of, waitMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (const [i, { limit }] of levels.entries()) {
    const { count, leftMs } = at(failures, i);
    if (limit === undefined) continue;
    of = Math.min(of, limit);
    left = Math.min(left, Math.max(0, limit - count));
    if (count >= limit) waitMs = Math.max(waitMs, leftMs);
  }
  return { left, of, waitMs };
}
