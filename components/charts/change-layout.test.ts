import { describe, expect, it } from "vitest";
import { beside, type PlacedChange, placeChanges } from "./change-layout.ts";

const marker = (n: number, at: number, text = "moved customer 1042 from free to pro") => ({
  ...{ n, at, text, actor: "support@example.org", action: "customer.tier", short: "customer tier" },
});
const plot = { left: 40, right: 840, x: (at: number) => 40 + at };

/** Horizontal extent of each mark with its label. */
const spansOf = (placed: readonly PlacedChange[]) =>
  placed.map(({ x, width, side }) => (side === "right" ? [x, x + beside + width] : [x - beside - width, x]));

describe("changes above a chart", () => {
  it("are at their times, and changes outside the plot are left out", () => {
    const placed = placeChanges([marker(2, 500), marker(1, 100), marker(3, 900), marker(4, -5)], plot);
    expect(placed.map(({ key, x }) => [key, x])).toEqual([
      [1, 140],
      [2, 540],
    ]);
    expect(placed[0]?.label).toBe("00:00 moved customer 1042 from free to pro");
  });

  it("have shorter labels where there is less room", () => {
    const labelBefore = (next: number) =>
      placeChanges([marker(1, 100), marker(2, 100 + next)], plot)[0]?.label;
    expect(labelBefore(330)).toBe("00:00 moved customer 1042 from free to pro");
    expect(labelBefore(240)).toMatch(/^00:00 moved customer 1042.*…$/);
    expect(labelBefore(150)).toBe("00:00 customer tier");
    expect(labelBefore(88)).toBe("00:00");
  });

  it("at almost the same time share a mark", () => {
    const [one, ...others] = placeChanges([marker(1, 100), marker(2, 103)], plot);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ key: 1, label: "00:00 customer tier ×2" });
    const three = [marker(1, 100), { ...marker(2, 103), short: "mode off" }, marker(3, 140), marker(4, 190)];
    expect(placeChanges(three, plot)[0]?.label).toBe("3 changes");
    expect(placeChanges(three.slice(0, 3), plot)[0]?.label).toBe("00:00 customer tier ×2, mode off");
  });

  it("at the right edge have their label on the left", () => {
    const [only] = placeChanges([marker(1, 795)], plot);
    expect(only).toMatchObject({ side: "left", label: "00:00 moved customer 1042 from free to pro" });
  });

  it("never overlap or leave the plot", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let run = 0; run < 400; run++) {
      const right = 40 + ([230, 400, 800, 1_300][run % 4] ?? 0);
      const markers = Array.from({ length: 1 + (run % 12) }, (_, n) => marker(n, random() * (right - 40)));
      const placed = placeChanges(markers, { ...plot, right });
      expect(placed.flatMap((one) => one.markers)).toHaveLength(markers.length);
      const spans = spansOf(placed);
      for (const [i, [from = 0, to = 0]] of spans.entries()) {
        expect(from).toBeGreaterThanOrEqual(i === 0 ? 40 : (spans[i - 1]?.[1] ?? 0));
        expect(to).toBeLessThanOrEqual(right);
      }
      for (const { label } of placed) expect(label).not.toBe("");
    }
  });
});
