/**
 * What one client sent in one window of one level.
 * @typedef {object} Tally
 * @property {number} limit
 * @property {number} most the limit, and what the slack of the rule adds to it
 * @property {number} passed
 * @property {number} denied
 * @property {number} underWay
 * @property {boolean} isVague whether a request of it may have been counted in another window, or under another policy
 */
/** @typedef {{ rule: string, limit: number, periodSeconds: number, slack?: number }} CountedLevel */

/**
 * Compares what a whole fleet lets pass with the limits of fixed windows: never more than a limit and its slack, and no denial
 * below the limit. Windows that a change of the policy has touched are left out.
 */
export class WindowTallies {
  /** @type {Map<string, Tally>} */
  #tallies = new Map();
  #report;
  #begunAt = 0;
  #isPaused = false;
  checked = 0;
  full = 0;
  left = 0;

  /** @param {(text: string) => void} report called with each difference */
  constructor(report) {
    this.#report = report;
  }

  /** Before a change that touches all counts. */
  pause() {
    this.settle();
    this.#isPaused = true;
  }

  /** Counts the windows that begin from now on; all of them, if nothing has been counted yet. */
  resume(isFirst = false) {
    this.#isPaused = false;
    this.#begunAt = isFirst ? 0 : Date.now();
  }

  /**
   * Sends a request and counts it.
   * @param {string} client @param {readonly CountedLevel[]} levels that count it
   * @param {() => Promise<import("./mixed-fleet-node.mjs").Decision>} send
   */
  async count(client, levels, send) {
    if (this.#isPaused) return send();
    const begunAt = this.#begunAt;
    const sentAt = Date.now();
    const tallies = levels.map((level) => this.#tallyOf(client, level, sentAt));
    for (const tally of tallies) tally.underWay++;
    const decision = await send();
    const isTouched = this.#isPaused || this.#begunAt !== begunAt;
    for (const [i, { rule, periodSeconds }] of levels.entries()) {
      const tally = tallies[i];
      if (!tally) continue;
      tally.underWay--;
      // A late answer may have been counted.
      if (
        decision.trouble ||
        isTouched ||
        windowOf(Date.now(), periodSeconds) !== windowOf(sentAt, periodSeconds)
      )
        tally.isVague = true;
      if (decision.outcome === "pass") tally.passed++;
      else if (decision.rule === rule || decision.rule === `${rule}/${periodSeconds}`) {
        tally.denied++;
        if (!tally.isVague && tally.passed + tally.underWay < tally.limit)
          this.#report(`${rule} denied ${client} early: ${tally.passed} of ${tally.limit} had passed`);
      } else if (decision.outcome !== "throttled")
        this.#report(`${rule}: ${client} got ${decision.outcome} by ${decision.rule}`);
    }
    return decision;
  }

  /** Leaves out the windows that a client counts in now. @param {string} client */
  leaveOut(client) {
    for (const [name, tally] of this.#tallies) if (name.startsWith(`${client} `)) tally.isVague = true;
  }

  /** Judges all windows so far. */
  settle() {
    for (const [name, { limit, most, passed, denied, isVague }] of this.#tallies) {
      if (isVague) {
        this.left++;
        continue;
      }
      this.checked++;
      if (denied > 0) this.full++;
      if (passed > most) this.#report(`${name}: ${passed} passed, at most ${most} may`);
      if (denied > 0 && passed < limit)
        this.#report(`${name}: ${passed} passed and ${denied} were denied, with a limit of ${limit}`);
    }
    this.#tallies.clear();
  }

  /** @param {string} client @param {CountedLevel} level @param {number} nowMs @returns {Tally} */
  #tallyOf(client, { rule, limit, periodSeconds, slack = 0 }, nowMs) {
    const window = windowOf(nowMs, periodSeconds);
    const name = `${client} ${rule}/${periodSeconds} window ${window}`;
    const isVague = window * periodSeconds * 1_000 < this.#begunAt;
    const most = limit + Math.ceil(limit * slack);
    const known = this.#tallies.get(name) ?? {
      ...{ limit, most, passed: 0, denied: 0, underWay: 0, isVague },
    };
    this.#tallies.set(name, known);
    return known;
  }
}

/** @param {number} nowMs @param {number} periodSeconds */
const windowOf = (nowMs, periodSeconds) => Math.floor(nowMs / 1_000 / periodSeconds);
