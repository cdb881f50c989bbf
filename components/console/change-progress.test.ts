import { expect, it } from "vitest";
import { nextLookMs, sayReached } from "./change-progress.tsx";

const node = (id: string) => ({ id, app: "shop" });
const reachedBy = (...tookMs: number[]) => tookMs.map((ms, i) => ({ ...node(`n${i}`), tookMs: ms }));
const all = { change: 7, nodes: 3, reached: reachedBy(12, 90, 40), lagging: [] };
const some = { change: 7, nodes: 3, reached: reachedBy(12, 90), lagging: [node("web-2")] };

it("reports the progress of a change, by the slowest node", () => {
  expect(sayReached(all)).toBe("Applied on 3 of 3 nodes in 90 ms");
  expect(sayReached(some)).toBe("Applied on 2 of 3 nodes so far:");
  expect(sayReached({ ...all, nodes: 1, reached: reachedBy(1_240) })).toBe("Applied on 1 of 1 node in 1.2 s");
});

it("counts a node that started after the change, although it did not acknowledge it", () => {
  expect(sayReached({ ...all, reached: [] })).toBe("Applied on 3 of 3 nodes");
});

it("reports that a change is not enforced while no node runs", () => {
  expect(sayReached({ change: 7, nodes: 0, reached: [], lagging: [] })).toMatch(/no node/i);
});

it("polls often at first, then seldom, and stops once all nodes have the change or after 30 s", () => {
  expect(nextLookMs(undefined, 0)).toBe(100);
  expect(nextLookMs(some, 1_999)).toBe(100);
  expect(nextLookMs(some, 2_000)).toBe(1_000);
  expect(nextLookMs(some, 30_000)).toBe(false);
  expect(nextLookMs(all, 0)).toBe(false);
});
