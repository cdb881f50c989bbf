import { expect, it } from "vitest";
import type { Fingerprint } from "../../enforce/edge/sightings.ts";
import type { Limited } from "../../manage/edge/decide.ts";
import { broad, standard } from "../../manage/edge/vitest.edge.ts";
import { pageOf } from "./edge-reads.ts";

const limited = (fingerprint: Fingerprint, count: number): Limited => ({
  ...{ fingerprint, count, since: 1, lastOver: 1, limit: 120, until: 2 },
});
const worst = limited(standard("203.0.113.9", "/login"), 900);
const second = limited(standard("203.0.113.9", "/Search"), 600);
const tool = limited(broad("198.51.100.7"), 400);
const all = [worst, second, tool];
const keysOf = (q: string) => pageOf(all, { q, from: 0, to: 100 }).rows.map(({ key }) => key);
const keys = (...found: readonly Limited[]) => found.map(({ fingerprint }) => fingerprint.key);

it("tells of the part that is asked for, and how many there are", () => {
  expect(pageOf(all, { q: "", from: 1, to: 2 })).toEqual({
    ...{ total: 3, matching: 3, offset: 1 },
    rows: [{ ...second.fingerprint, since: 1, until: 2, count: 600, at: [], limit: 120, others: 1 }],
  });
  expect(pageOf(all, { q: "login", from: 0, to: 100 })).toMatchObject({ total: 3, matching: 1 });
});

it.each([
  ["203.0.113", [worst, second]],
  ["/search", [second]],
  ["GET shop.example/login", [worst]],
  ["SQLMAP", [tool]],
  ["everything", [tool]],
  [worst.fingerprint.key.slice(0, 8), [worst]],
  ["nobody", []],
] as const)("finds %s", (q, found) => {
  expect(keysOf(q)).toEqual(keys(...found));
});

it("counts what else an address is denied for, also what the search leaves out", () => {
  expect(pageOf(all, { q: "login", from: 0, to: 1 }).rows).toMatchObject([{ others: 1 }]);
  expect(pageOf(all, { q: "sqlmap", from: 0, to: 1 }).rows).toMatchObject([{ others: 0 }]);
});
