import { expect, it } from "vitest";
import { isWithin, limitBounds, periodBounds, weightBounds } from "./run.ts";
import { decadeStops, evenStops, nearestStop, timeStops } from "./stops.ts";

it("stops at round values that rise, from the least to the most", () => {
  for (const [stops, bounds] of [
    [decadeStops(limitBounds("fixed")), limitBounds("fixed")],
    [decadeStops(limitBounds("earrrl")), limitBounds("earrrl")],
    [timeStops(periodBounds("earrrl")), periodBounds("earrrl")],
    [evenStops(weightBounds, 20), weightBounds],
  ] as const) {
    expect([...stops].sort((one, other) => one - other)).toEqual(stops);
    expect(stops.filter((stop) => !isWithin(stop, bounds))).toEqual([]);
  }
  expect(decadeStops(limitBounds("fixed")).slice(0, 4)).toEqual([1, 2, 3, 4]);
  expect(decadeStops(limitBounds("earrrl"))).toContain(0.5);
  expect([timeStops(periodBounds("earrrl"))[0], timeStops(periodBounds("earrrl")).at(-1)]).toEqual([1, 600]);
});

it("uses the stop that is nearest to the typed value", () => {
  expect([0, 1, 4.4, 4.6, 99].map((value) => nearestStop([1, 4, 5, 10], value))).toEqual([0, 0, 1, 2, 3]);
});
