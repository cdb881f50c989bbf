import { expect, it } from "vitest";
import { editsOf, type FeedForm } from "./feed-edits.ts";

const before: FeedForm = {
  source: "https://feeds.example.org/list.txt",
  ...{ header: "", column: "", every: "3600000", keys: "none" },
};

it("names what was changed alone, so that what another admin changes in that time stays", () => {
  expect(editsOf(before, before)).toEqual({});
  expect(editsOf(before, { ...before, column: "ip" })).toEqual({ column: "ip" });
  expect(editsOf(before, { ...before, every: "60000", header: "X-Key" })).toEqual({
    everyMs: 60_000,
    header: "X-Key",
  });
});

it("removes keys, and writes them", () => {
  expect(editsOf(before, { ...before, keys: "86400000" })).toEqual({ keysTtlMs: 86_400_000 });
  expect(editsOf({ ...before, keys: "86400000" }, before)).toEqual({ keysTtlMs: null });
});
