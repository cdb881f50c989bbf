import { setTimeout as pause } from "node:timers/promises";
import { addressOf, freshInstallLevels, sequences, windowSeconds } from "./mixed-fleet-policy.mjs";
import { leftInWindow, untilThereIs, windowNow } from "./mixed-fleet-world.mjs";
import { WindowTallies } from "./window-tally.mjs";

/** @typedef {import("./window-tally.mjs").CountedLevel} CountedLevel */

/** Traffic of the mixed fleet, compared with what a fleet of one version does. */
export class Traffic {
  /** Whether the policy of the bench is in force, and does not change just now. */
  isExact = false;
  isOver = false;
  tallies;
  #world;
  /** Raised with each change of the policy or its mode. */
  #changes = 0;
  #clients = 0;
  /** The levels that count an anonymous client on a path. @type {(path: string) => readonly CountedLevel[]} */
  #levelsOf = () => freshInstallLevels;
  /** Levels of customers that send all the time. @type {Map<string, CountedLevel[]>} */
  #customers = new Map([
    ["acme-free", [customerLevel(100, 3_600)]],
    ["acme-pro", [customerLevel(100, 60), customerLevel(5_000, 3_600)]],
    ["acme-own", [customerLevel(30, 60)]],
  ]);

  /** @param {import("./mixed-fleet-world.mjs").World} world */
  constructor(world) {
    this.#world = world;
    this.tallies = new WindowTallies(world.report);
    this.tallies.resume(true);
  }

  /** Until `isOver`. */
  async send() {
    await Promise.all([
      this.#crowd("/crowd"),
      this.#crowd("/slack"),
      this.#sendOfCustomers(),
      this.#sendSequences(),
    ]);
  }

  /** During a change of what all rules say, counts are not compared. @param {() => Promise<unknown>} work */
  async pauseFor(work) {
    this.isExact = false;
    this.#changes++;
    this.tallies.pause();
    await work();
    this.#changes++;
  }

  /** The policy of the bench is in force, with these terms. @param {{ crowdLimit: number, slack?: number }} terms */
  follow({ crowdLimit, slack = 0 }) {
    const level = { limit: crowdLimit, periodSeconds: windowSeconds };
    this.#levelsOf = (path) => [
      path === "/slack" ? { rule: "slack", ...level, slack } : { rule: "crowd", ...level },
    ];
    this.tallies.resume();
    this.isExact = true;
  }

  /** A customer gets another limit a minute. @param {string} id @param {number} limit @param {() => Promise<unknown>} work */
  async changeLimit(id, limit, work) {
    this.tallies.leaveOut(id);
    await work();
    this.#customers.set(id, [customerLevel(limit, 60)]);
    this.tallies.leaveOut(id);
  }

  /** Sends requests of a few clients that are often over their limits. @param {string} path */
  async #crowd(path) {
    const { ask, nodeAt, sent } = this.#world;
    for (let i = 0; !this.isOver; i++) {
      await pause(1_000 / crowdPerSecond);
      await untilThereIs(1);
      sent.crowd++;
      const request = { ip: `12.0.${path.length}.${i % 8}`, path };
      const node = nodeAt(Math.floor(Math.random() * 4));
      this.#count(request.ip, this.#levelsOf(path), () => ask(node, request));
    }
  }

  async #sendOfCustomers() {
    const { ask, nodeAt, sent } = this.#world;
    for (let i = 0; !this.isOver; i++) {
      await pause(50);
      await untilThereIs(1);
      const [id, levels] = [...this.#customers][i % this.#customers.size] ?? ["", []];
      sent.customers++;
      const request = { ip: addressOf(i % 500), path: "/customer/home", customerId: id };
      this.#count(id, levels, () => ask(nodeAt(i + Math.floor(i / 5)), request));
    }
  }

  /** @param {Parameters<WindowTallies["count"]>} counted */
  #count(...counted) {
    this.tallies.count(...counted).catch((error) => this.#world.report(String(error)));
  }

  /** Sends sequences with one expected verdict for each request. */
  async #sendSequences() {
    for (let i = 0; !this.isOver; i++) {
      const sequence = sequences[i % sequences.length];
      if (this.isExact && sequence) await this.#sendSequence(sequence);
      else await pause(50);
    }
  }

  /** @param {import("./mixed-fleet-policy.mjs").Sequence} sequence */
  async #sendSequence({ name, request, steps }) {
    const { ask, nodeAt, sent, report } = this.#world;
    await untilThereIs(2_000);
    const isUndisturbed = this.#watch();
    const client = this.#clients++;
    const first = Math.floor(Math.random() * 4);
    /** @type {string[]} */
    const found = [];
    for (const [k, { cost, expected }] of steps.entries()) {
      const node = nodeAt(first + k);
      const decision = await ask(node, { ...request(client), ...(cost !== undefined && { cost }) });
      sent.sequences++;
      // What was late may be counted, or not.
      if (decision.trouble !== null) return;
      const { outcome, rule, shadowed } = decision;
      const isSame =
        outcome === expected.outcome &&
        rule === (expected.rule ?? null) &&
        shadowed.join() === (expected.shadowed ?? []).join();
      if (!isSame) found.push(`${name}: request ${k} at ${node.name}: ${JSON.stringify(decision)}`);
      await pause(20);
    }
    if (!isUndisturbed()) return;
    for (const text of found) report(text);
    await this.#compareDenials(request(client));
  }

  /** A denied client gets the same answer from all nodes, down to its headers. @param {import("./mixed-fleet-nodes.mjs").Request} request */
  async #compareDenials(request) {
    const { askAll, nodeAt, report } = this.#world;
    const isUndisturbed = this.#watch();
    const decisions = await askAll(request);
    if (!isUndisturbed() || decisions.some(({ trouble }) => trouble !== null)) return;
    const [first] = decisions;
    for (const [i, decision] of decisions.entries()) {
      if (first && factsOf(decision) !== factsOf(first))
        report(
          `${nodeAt(i).name} says ${JSON.stringify(decision)}, ${nodeAt(0).name} says ${JSON.stringify(first)}`,
        );
      const waits = [decision, first].map((one) => one?.retryAfterSeconds ?? 0);
      // Each denied request raises an estimate, and a node knows its own.
      if (decision.rule !== "rate" && Math.abs((waits[0] ?? 0) - (waits[1] ?? 0)) > 1)
        report(
          `${decision.rule}: ${nodeAt(i).name} and ${nodeAt(0).name} differ in retry-after: ${waits.join(" and ")}`,
        );
    }
  }

  /** Tells whether no change was made since, and no window ended: a busy machine may take longer than a window has left. */
  #watch() {
    const [changes, window] = [this.#changes, windowNow()];
    return () => changes === this.#changes && window === windowNow() && leftInWindow() > 0;
  }
}

/** Of each path. */
const crowdPerSecond = 50;

/** @param {number} limit @param {number} periodSeconds @returns {CountedLevel} */
function customerLevel(limit, periodSeconds) {
  return { rule: "req/customer", limit, periodSeconds };
}

/** @param {import("./mixed-fleet-node.mjs").Decision} decision */
function factsOf({ retryAfterSeconds: _, headers, ...rest }) {
  return JSON.stringify({ ...rest, headers: Object.keys(headers).sort() });
}
