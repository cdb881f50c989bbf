import { lua } from "../redis/lua.generated.ts";
import type { Step } from "./plan.ts";
import { counterKey, laneOf } from "./recipe.ts";
import type { RedisClock } from "./redis-clock.ts";
import { lineScript, type ScriptLine } from "./script-line.ts";

/** What a client's hits weigh by now that were denied without asking Redis. */
export interface LateCharge {
  /** One of EARRRL. */
  readonly step: Step;
  readonly client: string;
  readonly weight: number;
  /** Told what N is in Redis now. */
  readonly onCharged?: (sum: number) => void;
}

const mostCharges = 128;
const withinMs = 1_000;

const script = lineScript(lua.lateCharges);

/** One call for up to 128 clients, whatever they hammered. What cannot be delivered is lost: a hit counts once at most. */
export class LateCharges {
  readonly #line: ScriptLine;
  readonly #clock: RedisClock;
  readonly #isCluster: boolean;

  constructor(settings: { line: ScriptLine; clock: RedisClock; isCluster: boolean }) {
    this.#line = settings.line;
    this.#clock = settings.clock;
    this.#isCluster = settings.isCluster;
  }

  async send(charges: readonly LateCharge[]): Promise<void> {
    const lanes = new Map<number, LateCharge[]>();
    for (const charge of charges) {
      const lane = this.#isCluster ? laneOf(charge.client) : 0;
      const others = lanes.get(lane);
      if (others) others.push(charge);
      else lanes.set(lane, [charge]);
    }
    const calls: Promise<void>[] = [];
    for (const [lane, inLane] of lanes) {
      for (let from = 0; from < inLane.length; from += mostCharges)
        calls.push(this.#call(lane, inLane.slice(from, from + mostCharges)));
    }
    await Promise.all(calls);
  }

  async #call(lane: number, charges: readonly LateCharge[]): Promise<void> {
    const injected = this.#clock.injected();
    const words = charges.map(({ step, client }) => counterKey(step, client, 0, this.#isCluster));
    words.push(
      JSON.stringify(charges.flatMap(({ step, weight }) => [step.periodSeconds, step.limit, weight])),
    );
    if (injected !== undefined) words.push(String(injected));
    const found = await this.#line.call(script, lane, charges.length, words, withinMs);
    if ("outcome" in found) return;
    charges.forEach(({ onCharged }, i) => {
      const sum = found[i + 1];
      if (sum !== undefined && !Number.isNaN(sum)) onCharged?.(sum);
    });
  }
}
