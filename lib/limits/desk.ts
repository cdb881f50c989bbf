import { lua } from "../redis/lua.generated.ts";
import { type Answer, Batch } from "./batch.ts";
import type { Load, Moment, Plan, Unweighed, Weighed } from "./plan.ts";
import { laneOf, Recipe } from "./recipe.ts";
import type { RedisClock } from "./redis-clock.ts";
import { lineScript, type ScriptLine } from "./script-line.ts";

export interface DeskSettings {
  readonly line: ScriptLine;
  readonly clock: RedisClock;
  readonly withinMs: number;
  readonly mostLoads: number;
  /** Tells what is counted and charges nothing. */
  readonly isReading: boolean;
  /** The keys lie on a cluster: one call a slot. */
  readonly isCluster: boolean;
}

/** Loads that go into one call, or into few. */
interface Queue {
  readonly recipe: Recipe;
  readonly lane: number;
  readonly loads: Load[];
  readonly answers: Answer[];
}

/** Fewer loads than these are not worth a call of their own while more may come. */
const fewest = 16;
const smallestHalf = 32;

const script = lineScript(lua.weigh);

/** Collects the loads of one turn of the event loop, and sends those of one plan (and slot) together. */
export class Desk {
  readonly #settings: DeskSettings;
  readonly #recipes = new WeakMap<Plan, Recipe>();
  #queues = new Map<Recipe, Map<number, Queue>>();
  #callsUnderWay = 0;
  #takenThisTurn = 0;
  /** How many loads come in a turn at most, lately. */
  #busiestTurn = 0;

  constructor(settings: DeskSettings) {
    this.#settings = settings;
  }

  /** @param load one whose keys lie in one slot, if they lie on a cluster */
  take(load: Load): Promise<Weighed | Unweighed> {
    const queue = this.#queueFor(load);
    this.#takenThisTurn++;
    queue.loads.push(load);
    const answer = new Promise<Weighed | Unweighed>((resolve) => {
      queue.answers.push(resolve);
    });
    if (this.#callsUnderWay === 0 && queue.loads.length >= this.#early) this.#sendNow(queue);
    return answer;
  }

  /**
   * While nothing is under way, half of a turn's loads do not wait for its end: Redis works on them while this process
   * takes the others in, and from then on the two take turns.
   */
  get #early(): number {
    return Math.max(fewest, this.#busiestTurn / 2);
  }

  #sendNow(queue: Queue): void {
    this.#queues.get(queue.recipe)?.delete(queue.lane);
    this.#divide(queue);
  }

  #queueFor({ plan, clients }: Load): Queue {
    const recipe = this.#recipeFor(plan);
    const lane = this.#settings.isCluster ? laneOf(clients[0] ?? "") : 0;
    if (this.#queues.size === 0) setImmediate(() => this.#flush());
    let lanes = this.#queues.get(recipe);
    if (!lanes) {
      lanes = new Map();
      this.#queues.set(recipe, lanes);
    }
    let queue = lanes.get(lane);
    if (!queue) {
      queue = { recipe, lane, loads: [], answers: [] };
      lanes.set(lane, queue);
    }
    return queue;
  }

  #recipeFor(plan: Plan): Recipe {
    let recipe = this.#recipes.get(plan);
    if (!recipe) {
      recipe = new Recipe(plan, this.#settings.isCluster);
      this.#recipes.set(plan, recipe);
    }
    return recipe;
  }

  #flush(): void {
    const queues = this.#queues;
    this.#queues = new Map();
    this.#busiestTurn = Math.max(this.#takenThisTurn, 0.9 * this.#busiestTurn);
    this.#takenThisTurn = 0;
    for (const lanes of queues.values()) for (const queue of lanes.values()) this.#divide(queue);
  }

  /** Into halves at least, so that the answers to one are read while Redis works on the other. */
  #divide({ recipe, lane, loads, answers }: Queue): void {
    const half = Math.max(smallestHalf, Math.ceil(loads.length / 2));
    const size = Math.min(this.#settings.mostLoads, recipe.mostLoads, half);
    for (let from = 0; from < loads.length; from += size) {
      const batch = new Batch(recipe, loads.slice(from, from + size), answers.slice(from, from + size));
      void this.#send(batch, lane);
    }
  }

  async #send(batch: Batch, lane: number): Promise<void> {
    this.#callsUnderWay++;
    const answer = await this.#ask(batch, lane);
    this.#callsUnderWay--;
    if ("outcome" in answer) batch.fail(answer);
    else batch.settle(answer.found, answer.at);
  }

  /** Asks again if a window was wrong: at a boundary Redis' clock may be a little further than it seemed. */
  async #ask(batch: Batch, lane: number): Promise<Found | Unweighed> {
    const { line, clock, withinMs, isReading } = this.#settings;
    for (const until = performance.now() + withinMs; ; ) {
      const askedAtMs = performance.now();
      const words = batch.words(clock.now(), { isReading, clockMicros: clock.injected() });
      const found = await line.call(script, lane, batch.keyCount, words, until - askedAtMs);
      if ("outcome" in found) return found;
      const redisMicros = found[0] ?? 0;
      clock.heard(redisMicros, askedAtMs, performance.now());
      if (found.length > 1) return { found, at: { askedAtMs, redisMicros } };
    }
  }
}

interface Found {
  readonly found: Float64Array;
  readonly at: Moment;
}
