import { expect, it } from "vitest";
import { readCustomersUrl, writeCustomersUrl } from "./customers-url.ts";

it("reads what it wrote, and writes only what is not plain", () => {
  for (const url of [
    { search: "", group: "all" },
    { search: "10", group: "tier:pro" },
    { search: "a@b", group: "not-obeyed" },
    { search: "", group: "suspended" },
  ])
    expect(readCustomersUrl(new URLSearchParams(writeCustomersUrl(url)))).toEqual(url);
  expect(writeCustomersUrl({ search: "", group: "all" })).toBe("");
});

it("ignores parts that are not valid", () => {
  const given = new URLSearchParams({ q: ` ${"x".repeat(99)}`, group: "tier:<b>" });
  expect(readCustomersUrl(given)).toEqual({ search: "x".repeat(64), group: "all" });
});
