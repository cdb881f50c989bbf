import fc from "fast-check";
import { expect, it } from "vitest";
import type { Block } from "../../ip/block.ts";
import { listNames } from "../../redis/keys.ts";
import { ListTables } from "./list-tables.ts";
import { LossWatch } from "./loss.ts";
import { ListView } from "./view.ts";
import { arbitrary, Model, type Step } from "./vitest.model.ts";

/** A catalogue without Redis, beside the model; both get the same changes. */
class Pair {
  readonly model = new Model();
  readonly tables: ListTables;
  readonly #views = new Map<object, ListView>();
  #now = 1_000;
  #octet = -1;

  constructor() {
    this.tables = new ListTables(new LossWatch(), () => this.#now);
    this.tables.begin();
    this.tables.finish();
  }

  async take(step: Step) {
    if (step.kind === "pass") this.#now += step.ms;
    else if (step.kind === "guard") await this.#guard(step.octet);
    else if (step.kind === "load") await this.#load(step.isCut);
    else if (step.kind === "gone") {
      this.model.entries.delete(`${step.list}:${step.text}`);
      this.tables.put(`${step.list}:${step.text}`, -2);
    } else {
      const endsAt = step.life === -1 ? Number.POSITIVE_INFINITY : this.#now + step.life;
      this.model.put(step.list, step.text, step.contents, endsAt);
      this.tables.put(`${step.list}:${step.text}`, step.life, step.contents);
    }
  }

  async expectEqual(list: "safelist" | "blocklist", wanted: Parameters<Model["page"]>[1]) {
    const view = this.#view(list);
    const isGuarded = (block: Block) => this.#isGuarded(block);
    const page = await view.page(
      wanted,
      () => this.#now,
      (row) => view.table.address(row),
    );
    expect(page).toEqual(this.model.page(list, wanted, this.#now, isGuarded));
  }

  /** Every value as it is, for restoring. */
  expectValues() {
    for (const { list, text, contents, endsAt } of this.model.entries.values()) {
      if (endsAt <= this.#now) continue;
      const table = this.tables.pair[list];
      expect(table.contents(table.find(text) ?? -1)).toEqual(contents);
    }
  }

  async #guard(octet: number) {
    this.#octet = octet;
    await this.tables.guard((block) => this.#isGuarded(block));
  }

  #isGuarded({ family, a }: Block): boolean {
    return family === 4 && ((a >>> 8) & 255) === this.#octet;
  }

  /** What is there already is loaded again, and what was deleted behind the back is missing. */
  async #load(isCut: boolean) {
    this.tables.begin();
    const [lost] = this.model.entries.keys();
    if (lost && !isCut) this.model.entries.delete(lost);
    for (const [key, { contents, endsAt }] of this.model.entries) {
      const ttl = endsAt === Number.POSITIVE_INFINITY ? -1 : endsAt - this.#now;
      if (ttl === -1 || ttl > 0) this.tables.load(key, ttl, contents);
    }
    if (!isCut) this.tables.finish();
  }

  #view(list: "safelist" | "blocklist"): ListView {
    const table = this.tables.pair[list];
    const view = this.#views.get(table) ?? new ListView(table);
    this.#views.set(table, view);
    return view;
  }
}

it("is equal to a plain map, whatever happens and whatever is asked", async () => {
  const steps = fc.array(
    fc.tuple(fc.array(arbitrary.step, { maxLength: 8 }), arbitrary.list, arbitrary.wanted),
    {
      maxLength: 25,
    },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (rounds) => {
      const pair = new Pair();
      for (const [taken, list, wanted] of rounds) {
        for (const step of taken) await pair.take(step);
        await pair.expectEqual(list, wanted);
        pair.expectValues();
      }
      for (const list of listNames) await pair.expectEqual(list, { limit: 200 });
    }),
    { numRuns: 300 },
  );
});
