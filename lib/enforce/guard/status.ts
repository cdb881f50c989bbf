import type { FollowingState } from "../../redis/following.ts";
import type { Schedule, Task } from "../../redis/schedule.ts";
import type { CountersHealth } from "./counters.ts";
import type { FleetNode } from "./fleet-node.ts";

/** How a guard is. */
export interface GuardStatus {
  /**
   * `starting`: lists and policy are not in memory yet, so each check asks Redis. `ready`: everything is enforced.
   * `degraded`: something is enforced as last known, or not at all.
   */
  readonly state: "starting" | "ready" | "degraded";
  /** When this state began. */
  readonly since: Date;
  /** Cause and consequence, in sentences without secrets. Undefined while ready. */
  readonly why: string | undefined;
  /** How changes reach this process. Undefined until the first load is done, and with `memory:`. */
  readonly following: FollowingState | undefined;
}

interface Degradation {
  readonly since: number;
  readonly why: string;
}

export function statusOf(node: FleetNode, counters: CountersHealth): GuardStatus {
  const { following, currentSince, startedAt } = node;
  const status = (state: GuardStatus["state"], since: number, why?: string): GuardStatus => ({
    state,
    since: new Date(since),
    why,
    following,
  });
  const troubles = troublesOf(node, counters);
  const [first] = troubles;
  if (first) return status("degraded", Math.min(...troubles.map(({ since }) => since)), first.why);
  if (currentSince === undefined) return status("starting", startedAt, node.sayStart());
  return status("ready", Math.max(currentSince, counters.answeredSince ?? 0));
}

/** The worst first. Counters are no trouble of their own before the copies are loaded. */
function troublesOf(node: FleetNode, counters: CountersHealth): Degradation[] {
  const { awaySince, currentSince, loadedAt, state } = node;
  const troubles: Degradation[] = [];
  if (awaySince !== undefined) troubles.push({ since: awaySince, why: node.sayOutage() });
  if (loadedAt === undefined) return troubles;
  if (!state.policy) troubles.push({ since: currentSince ?? loadedAt, why: noPolicy });
  const { missedSince } = counters;
  if (missedSince !== undefined)
    troubles.push({ since: Math.max(missedSince, loadedAt), why: counters.sayOutage() });
  return troubles;
}

const noPolicy = "The policy in Redis cannot be used. No rule is enforced; the lists are.";

/** A connection that is back within this time is not worth a line. */
const settleMs = 300;
const repeatEveryMs = 5 * 60_000;

export interface OutageWords {
  /** The cause, as known at the time of the line, and what follows from it. */
  readonly begin: () => string;
  readonly end: () => string;
}

/** One line when an outage begins, one every five minutes while it lasts, one when it is over. */
export class OutageLog {
  readonly #schedule: Schedule;
  readonly #log: (line: string) => void;
  readonly #words: OutageWords;
  #since: number | undefined;
  #isLogged = false;
  #next: Task | undefined;

  constructor(schedule: Schedule, log: (line: string) => void, words: OutageWords) {
    this.#schedule = schedule;
    this.#log = log;
    this.#words = words;
  }

  /** Date.now() at its beginning. Undefined while there is no outage. */
  get since(): number | undefined {
    return this.#since;
  }

  begin(): void {
    if (this.#since !== undefined) return;
    const since = Date.now();
    this.#since = since;
    this.#next = this.#schedule.once(settleMs, () => {
      this.#isLogged = true;
      this.#log(this.#words.begin());
      this.#next = this.#schedule.every(repeatEveryMs, () => {
        const minutes = Math.round((Date.now() - since) / 60_000);
        this.#log(`${this.#words.begin()} This has lasted ${minutes} min.`);
      });
    });
  }

  end(): void {
    if (this.#isLogged) this.#log(this.#words.end());
    this.#next?.cancel();
    this.#since = undefined;
    this.#isLogged = false;
  }
}
