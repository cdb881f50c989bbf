import { describe, expect, it } from "vitest";
import { readLiveView, wholeOf, writeLiveView } from "./live-view.ts";

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

describe("what a zoom can move in", () => {
  const hourMs = 60 * minuteMs;

  it("is the period that ends now", () => {
    expect(wholeOf({ range: "15m" }, now)).toEqual({ from: ago(15), until: now });
    expect(wholeOf({ range: "1h", zoom: { from: ago(59), until: ago(9) } }, now)).toEqual({
      from: ago(60),
      until: now,
    });
  });

  it("is all that is kept, for a time before the period", () => {
    const zoom = { from: ago(3_000), until: ago(2_990) };
    expect(wholeOf({ range: "1h", zoom }, now)).toEqual({ from: now - 8 * 24 * hourMs, until: now });
  });
});
