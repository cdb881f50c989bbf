import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { facets, sorts } from "@/lib/queries/entries.ts";
import {
  isSameView,
  plainUrl,
  readListUrl,
  withFacet,
  withSearch,
  withSort,
  withTag,
  writeListUrl,
} from "./list-url.ts";

const read = (text: string) => readListUrl(new URLSearchParams(text));

describe("the URL of a list", () => {
  it("is short for the default view", () => {
    expect(read("")).toEqual(plainUrl);
    expect(writeListUrl(plainUrl)).toBe("");
  });

  it("is the same when it is read back", () => {
    const urls = fc.record({
      q: fc.string({ maxLength: 200 }),
      facet: fc.constantFrom(...facets),
      tag: fc.constantFrom("", "scraper", "asn:64500"),
      sort: fc.constantFrom(...sorts),
      dir: fc.constantFrom("asc" as const, "desc" as const),
      offset: fc.nat(),
    });
    fc.assert(
      fc.property(urls, (url) => {
        expect(read(writeListUrl(url))).toEqual(url);
      }),
    );
  });

  it("ignores invalid values", () => {
    expect(read("facet=everything&tag=No!&sort=luck&dir=up&offset=-5")).toEqual(plainUrl);
    expect(read("offset=1.5").offset).toBe(0);
    expect(read("offset=1e400").offset).toBe(0);
    expect(read(`q=${"a".repeat(9_000)}`).q).toHaveLength(200);
  });

  it("starts at the top when the view changes", () => {
    const below = { ...plainUrl, offset: 400 };
    expect(withSearch(below, "203.0").offset).toBe(0);
    expect(withFacet(below, "ranges").offset).toBe(0);
    expect(withSort(below, "by").offset).toBe(0);
    expect(withTag(below, "scraper").offset).toBe(0);
    expect(isSameView(withTag(below, "scraper"), below)).toBe(false);
    expect(isSameView(below, plainUrl)).toBe(true);
    expect(isSameView(withSearch(below, "203.0"), plainUrl)).toBe(false);
  });
});

describe("the order", () => {
  it("reverses when the same column is chosen again", () => {
    const byPerson = withSort(plainUrl, "by");
    expect(byPerson).toMatchObject({ sort: "by", dir: "asc" });
    expect(withSort(byPerson, "by").dir).toBe("desc");
    expect(withSort(plainUrl, "at").dir).toBe("asc");
  });

  it("is by expiry for entries that expire soon, unless another was chosen", () => {
    const soon = withFacet(plainUrl, "expiring");
    expect(soon).toMatchObject({ sort: "expires", dir: "asc" });
    expect(writeListUrl(soon)).toBe("?facet=expiring");
    expect(withFacet(soon, "all")).toEqual(plainUrl);
    expect(withFacet(withSort(plainUrl, "by"), "expiring").sort).toBe("by");
  });
});
