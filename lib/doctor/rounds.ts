import { setTimeout as pause } from "node:timers/promises";
import { checks, examine } from "./check-up.ts";
import { connection } from "./connection.ts";
import type { Check, Finding, Patient } from "./finding.ts";

/** A finding, and when it was made. */
export interface Seen extends Finding {
  readonly lookedAt: number;
}

export interface Round {
  readonly findings: readonly Seen[];
  /** Checks that still look; what they found the last time is among the findings. */
  readonly looking: readonly string[];
}

const quickEveryMs = 4_000;
const thoroughEveryMs = 600_000;
const answerWithinMs = 1_500;

/**
 * For a console that is looked at all the time. However many ask, each check runs once at a time and not more often
 * than it should, and nobody waits for a slow one.
 */
export class Rounds {
  readonly #patient: Patient;
  readonly #now: () => number;
  readonly #seen = new Map<string, readonly Seen[]>();
  readonly #begun = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(patient: Patient, now = Date.now) {
    this.#patient = patient;
    this.#now = now;
  }

  /** @param isAskedFor somebody wants to know now, so what reads much is looked at, too */
  async look({ isAskedFor = false } = {}): Promise<Round> {
    const link = this.#date(await examine(connection, this.#patient));
    if (link.some(({ status }) => status === "problem")) return { findings: link, looking: [] };
    const others = checks.filter((check) => check !== connection);
    const looks = others.map((check) => this.#lookIfDue(check, isAskedFor));
    await Promise.race([Promise.all(looks), pause(answerWithinMs, undefined, { ref: false })]);
    return {
      findings: [...link, ...others.flatMap(({ name }) => this.#seen.get(name) ?? [])],
      looking: [...this.#underWay.keys()],
    };
  }

  #lookIfDue(check: Check, isAskedFor: boolean): Promise<void> | undefined {
    const everyMs = check.isThorough && !isAskedFor ? thoroughEveryMs : quickEveryMs;
    const isDue = this.#now() - (this.#begun.get(check.name) ?? 0) >= everyMs;
    if (isDue && !this.#underWay.has(check.name)) this.#underWay.set(check.name, this.#lookAt(check));
    return this.#underWay.get(check.name);
  }

  async #lookAt(check: Check): Promise<void> {
    this.#begun.set(check.name, this.#now());
    const found = await examine(check, this.#patient);
    this.#seen.set(check.name, this.#date(found));
    this.#underWay.delete(check.name);
  }

  #date(findings: readonly Finding[]): Seen[] {
    return findings.map((finding) => ({ ...finding, lookedAt: this.#now() }));
  }
}
