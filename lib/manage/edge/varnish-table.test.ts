import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readTable, tableText } from "./varnish-table.ts";

const shipped = (name: string) =>
  readFileSync(new URL(`../../../deploy/varnish/${name}`, import.meta.url), "utf8");
const someKeys = fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{40}$/));

it("reads the table that it wrote, also among other text", () => {
  fc.assert(
    fc.property(someKeys, (keys) => {
      expect(readTable(tableText(new Set(keys)))).toEqual(new Set(keys));
      expect(readTable(`sub vcl_recv {\n}\n${tableText(new Set(keys))}sub other {\n}\n`)).toEqual(
        new Set(keys),
      );
    }),
  );
});

it("equals the shipped table while it is empty, and is where the shipped VCL includes it", () => {
  expect(shipped("sluice-table.vcl")).toBe(tableText(new Set()));
  expect(shipped("sluice.vcl")).toContain('include "./sluice-table.vcl";');
  for (const name of ["call sluice_look_up;", "X-Sluice-Key", "X-Sluice-Limited"])
    expect(shipped("sluice.vcl")).toContain(name);
});

it("reads no table from other text, and no key that Varnish would not find", () => {
  expect(readTable("vcl 4.1;\nbackend default none;\n")).toBeUndefined();
  const [one, misplaced] = ["a".repeat(40), "b".repeat(40)];
  const text = tableText(new Set([one]));
  expect(readTable(text.replace(one, `${one}\n${misplaced}`))).toEqual(new Set([one]));
  expect(readTable(text.replace("  if (", "  # if ("))).toEqual(new Set());
});

it("writes only keys", () => {
  const words = ['"}, "") || true) { #', "", "A".repeat(40), "a".repeat(39)];
  expect(tableText(new Set(words))).toBe(tableText(new Set()));
});
