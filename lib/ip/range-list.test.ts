import { describe, expect, it } from "vitest";
import { blockOf, isCanonical, readBlock } from "./parse.ts";
import { loopback, rangeList } from "./range-list.ts";

const list = rangeList(
  ["10.0.0.0/8", "10.1.0.0/16", "192.0.2.7", "2001:db8::/32", "::/3"].filter(isCanonical),
);

function covering(text: string) {
  const block = readBlock(text);
  return block && list.covering(block);
}

function overlapping(text: string) {
  const block = readBlock(text);
  return block && list.overlapping(block);
}

describe("a range list", () => {
  it("names the first range that covers all of an address or range", () => {
    expect(covering("10.1.2.3")).toBe("10.0.0.0/8");
    expect(covering("10.0.0.0/8")).toBe("10.0.0.0/8");
    expect(covering("10.0.0.0/7")).toBeUndefined();
    expect(covering("192.0.2.7")).toBe("192.0.2.7");
    expect(covering("::ffff:192.0.2.7")).toBe("192.0.2.7");
    expect(covering("2001:db8:1::/48")).toBe("2001:db8::/32");
    expect(covering("::1")).toBe("::/3");
    expect(covering("192.0.2.8")).toBeUndefined();
  });

  it("names the first range that shares an address with one", () => {
    expect(overlapping("0.0.0.0/0")).toBe("10.0.0.0/8");
    expect(overlapping("192.0.2.0/24")).toBe("192.0.2.7");
    expect(overlapping("10.1.2.3")).toBe("10.0.0.0/8");
    expect(overlapping("192.0.3.0/24")).toBeUndefined();
    expect(overlapping("4000::/2")).toBeUndefined();
  });

  it("cannot be changed, not even through the array that it was made from", () => {
    const texts = ["192.0.2.1"].filter(isCanonical);
    const fixed = rangeList(texts);
    texts.length = 0;
    expect(fixed.ranges).toEqual(["192.0.2.1"]);
    expect(Object.isFrozen(fixed.ranges)).toBe(true);
  });

  it("holds loopback of both families", () => {
    const [v4, v6, other] = ["127.8.9.1", "::1", "128.0.0.1"].filter(isCanonical).map(blockOf);
    expect(v4 && loopback.covering(v4)).toBe("127.0.0.0/8");
    expect(v6 && loopback.covering(v6)).toBe("::1");
    expect(other && loopback.covering(other)).toBeUndefined();
  });
});
