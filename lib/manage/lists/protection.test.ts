import { expect, it } from "vitest";
import { readProtection } from "./protection.ts";

it("reads what the environment protects, beside loopback", () => {
  const read = readProtection({ trustedProxies: "10.1.0.0/16", neverBlock: "198.51.100.7, 2001:DB8::/32" });
  expect(read.neverBlock).toEqual(["198.51.100.7", "2001:db8::/32"]);
  expect(read.protectedRanges.map(({ range }) => range)).toEqual(
    expect.arrayContaining(["127.0.0.0/8", "10.1.0.0/16", "198.51.100.7", "2001:db8::/32"]),
  );
  expect(readProtection({ trustedProxies: undefined, neverBlock: undefined }).neverBlock).toEqual([]);
});

it("names the variable and the part that cannot be read", () => {
  const read = (settings: { trustedProxies?: string; neverBlock?: string }) => () =>
    readProtection({ trustedProxies: undefined, neverBlock: undefined, ...settings });
  expect(read({ neverBlock: "198.51.100.7, 198.51.100.777" })).toThrow(
    /^SLUICE_NEVER_BLOCK: .*198\.51\.100\.777/,
  );
  expect(read({ trustedProxies: "10.0.0.0/99" })).toThrow(/^SLUICE_TRUSTED_PROXIES: .*10\.0\.0\.0\/99/);
});
