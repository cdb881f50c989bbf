import { setTimeout as pause } from "node:timers/promises";
import { connection } from "./check-connection.ts";
import { checks, examine } from "./check-up.ts";
import type { Check, Finding, Patient } from "./finding.ts";

/** Finding with the time of its check. */
export interface DatedFinding extends Finding {
  readonly lookedAt: number;
}

export interface Round {
  readonly findings: readonly DatedFinding[];
  /** Names of running checks. Their findings are those of the run before. */
  readonly looking: readonly string[];
}

const quickEveryMs = 4_000;
const thoroughEveryMs = 600_000;
const answerWithinMs = 1_500;

/**
 * Runs the checks for a console that shows them all the time. Each check runs once at a time and not more often than
 * its interval, for any number of requests, and no request waits for a slow check.
 */
export class Rounds {
  readonly #patient: Patient;
  readonly #now: () => number;
  readonly #seen = new Map<string, readonly DatedFinding[]>();
  readonly #begun = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(patient: Patient, now = Date.now) {
    this.#patient = patient;
    this.#now = now;
  }

  /**
   * What was found stays while Redis is away.
   * @param isForced whether thorough checks run at the interval of the others
   */
  async findings({ isForced = false } = {}): Promise<Round> {
    const link = this.#date(await examine(connection, this.#patient));
    const isConnected = link.every(({ status }) => status !== "problem");
    const others = checks.filter((check) => check !== connection);
    const runs = isConnected ? others.map((check) => this.#runIfDue(check, isForced)) : [];
    await Promise.race([Promise.all(runs), pause(answerWithinMs, undefined, { ref: false })]);
    return {
      findings: [...link, ...others.flatMap(({ name }) => this.#seen.get(name) ?? [])],
      looking: isConnected ? [...this.#underWay.keys()] : [],
    };
  }

  #runIfDue(check: Check, isForced: boolean): Promise<void> | undefined {
    const everyMs = check.isThorough && !isForced ? thoroughEveryMs : quickEveryMs;
    const isDue = this.#now() - (this.#begun.get(check.name) ?? 0) >= everyMs;
    if (isDue && !this.#underWay.has(check.name)) this.#underWay.set(check.name, this.#run(check));
    return this.#underWay.get(check.name);
  }

  async #run(check: Check): Promise<void> {
    this.#begun.set(check.name, this.#now());
    const found = await examine(check, this.#patient);
    const isLost = found.some((finding) => finding.isLost);
    if (!isLost || !this.#seen.has(check.name)) this.#seen.set(check.name, this.#date(found));
    this.#underWay.delete(check.name);
  }

  #date(findings: readonly Finding[]): DatedFinding[] {
    return findings.map((finding) => ({ ...finding, lookedAt: this.#now() }));
  }
}
