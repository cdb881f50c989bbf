import { expect, it } from "vitest";
import { placeChanges } from "./change-layout.ts";

const marker = (n: number, at: number, text = "moved customer 1042 from free to pro") => ({
  ...{ n, at, text, actor: "support@example.org", action: "customer.tier" },
});
const plot = { left: 40, right: 840, x: (at: number) => 40 + at };

it("puts each change at its time, and leaves out what lies outside", () => {
  const placed = placeChanges([marker(2, 500), marker(1, 100), marker(3, 900), marker(4, -5)], plot);
  expect(placed.map(({ key, x }) => [key, x])).toEqual([
    [1, 140],
    [2, 540],
  ]);
  expect(placed[0]?.label).toBe("00:00 moved customer 1042 from free to pro");
});

it("makes one line of what happened at almost the same time", () => {
  const [one, ...others] = placeChanges([marker(1, 100), marker(2, 103)], plot);
  expect(others).toEqual([]);
  expect(one).toMatchObject({ key: 1, label: "00:00 2 changes" });
});

it("never lets words run into a neighbour or out of the plot", () => {
  const placed = placeChanges(
    [100, 200, 230, 790].map((at, i) => marker(i, at)),
    plot,
  );
  const spans = placed.flatMap(({ x, label, anchor }) => {
    const width = label.length * 5.8;
    return label === "" ? [] : [anchor === "start" ? [x, x + width] : [x - width, x]];
  });
  expect(spans).toHaveLength(3);
  for (const [i, [from = 0, to = 0]] of spans.entries()) {
    expect(from).toBeGreaterThanOrEqual(i === 0 ? plot.left : (spans[i - 1]?.[1] ?? 0));
    expect(to).toBeLessThanOrEqual(plot.right);
  }
  expect(placed.at(-1)?.anchor).toBe("end");
});
