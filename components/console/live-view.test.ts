import { describe, expect, it } from "vitest";
import { rangeShown, readLiveView, spanOf, writeLiveView } from "./live-view.ts";

const read = (text: string) => readLiveView(new URLSearchParams(text));
const now = Date.parse("2026-11-18T20:46:00Z");
const minuteMs = 60_000;
const ago = (minutes: number) => now - minutes * minuteMs;

describe("a live page's URL", () => {
  it("has only non-default values, and is parsed again", () => {
    const view = { range: "1h", app: "shop", zoom: { from: ago(17), until: ago(9) } } as const;
    expect(writeLiveView(read(""))).toBe("");
    expect(writeLiveView(view)).toBe(`?range=1h&app=shop&zoom=${ago(17) / 1_000}-${ago(9) / 1_000}`);
    expect(read(writeLiveView(view).slice(1))).toEqual(view);
  });

  it.each(["zoom=5-5", "zoom=9-5", "zoom=x-5", "zoom=5", "zoom=-1-5"])("ignores %s", (text) => {
    expect(read(text).zoom).toBeUndefined();
  });
});

describe("the period to read", () => {
  it.each([
    ["15m", undefined, "15m"],
    ["24h", undefined, "24h"],
    ["24h", 14, "15m"],
    ["15m", 15, "1h"],
    ["15m", 17, "1h"],
    ["1h", 90, "24h"],
    ["1h", 20 * 24 * 60, "7d"],
  ] as const)("of %s, zoomed to %s min ago, is %s", (range, minutes, shown) => {
    const zoom = minutes && { from: ago(minutes), until: now };
    expect(rangeShown({ range, zoom: zoom || undefined }, now)).toBe(shown);
  });

  it("ends now", () => {
    expect(spanOf("15m", now)).toEqual({ from: ago(15), until: now });
  });
});
