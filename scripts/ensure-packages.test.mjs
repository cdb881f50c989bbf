import { expect, test } from "vitest";
import { missingPackages } from "./ensure-packages.mjs";

const wanted = {
  "": {},
  "node_modules/next": { version: "16.0.0", integrity: "a" },
  "node_modules/next/node_modules/postcss": { version: "8.0.0", integrity: "b" },
  "node_modules/@next/swc-win32": { version: "16.0.0", integrity: "c", optional: true },
};

test("nothing is missing without the packages of another system", () => {
  const { "node_modules/@next/swc-win32": _, ...present } = wanted;
  expect(missingPackages(wanted, present)).toEqual([]);
});

test("an absent package, and one of another version, is missing", () => {
  const present = { "node_modules/next": { version: "15.0.0", integrity: "z" } };
  expect(missingPackages(wanted, present)).toEqual(["next", "postcss"]);
});
