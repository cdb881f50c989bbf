import { type ListName, listNames } from "../../redis/keys.ts";
import type { Loss } from "./loss.ts";
import type { Shelf } from "./shelf.ts";
import { breathing } from "./sort-in-pieces.ts";

const mostOftenMs = 5_000;

/** How much of a loss is not back yet: another console may have restored it, or somebody by hand. */
export class Missing {
  #last:
    | { readonly loss: Loss; readonly at: number; readonly version: number; readonly counts: Counts }
    | undefined;
  #work: { readonly loss: Loss; readonly counts: Promise<Counts> } | undefined;

  /** @param version of the lists as they stand: while it is the same, so is the answer */
  async count(
    loss: Loss,
    held: Readonly<Record<ListName, Shelf>>,
    version: number,
    now: () => number,
  ): Promise<Counts> {
    const last = this.#last?.loss === loss ? this.#last : undefined;
    if (last && (last.version === version || now() - last.at < mostOftenMs)) return last.counts;
    if (this.#work?.loss !== loss) this.#work = { loss, counts: countAll(loss, held, now) };
    const work = this.#work;
    const counts = await work.counts.finally(() => {
      if (this.#work === work) this.#work = undefined;
    });
    this.#last = { loss, at: now(), version, counts };
    return counts;
  }
}

type Counts = Readonly<Record<ListName, number>>;

async function countAll(
  loss: Loss,
  held: Readonly<Record<ListName, Shelf>>,
  now: () => number,
): Promise<Counts> {
  const counts = { safelist: 0, blocklist: 0 };
  const breathe = breathing();
  for (const list of listNames) {
    const lost = loss.shelves[list];
    for (let row = 0; row < lost.rows.end; row++) {
      if (row % 1_000 === 999) await breathe();
      if (lost.isHeld(row, now()) && held[list].find(lost.address(row)) === undefined) counts[list]++;
    }
  }
  return counts;
}
