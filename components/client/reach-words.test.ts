import { expect, it } from "vitest";
import type { Reach } from "@/lib/queries/client.ts";
import { rangesOf } from "./ranges.ts";
import { sayReach, sayWhose } from "./reach-words.ts";

const reach = (some: Partial<Reach> = {}): Reach => ({
  ...{ asOf: 0, address: "203.0.113.0/24", requests: 1_204, denied: 210, clients: 3 },
  ...{ busiest: [], customers: [], countedWith: null },
  ...some,
});

it("shows which requests a block would have denied, and which a safelisting would have passed", () => {
  expect(sayReach("blocklist", reach())).toBe(
    "Would have denied 1,204 requests of 3 clients in the last hour; 210 were denied anyway",
  );
  expect(sayReach("safelist", reach())).toBe(
    "Would have let 210 denied requests pass in the last hour, of 1,204 requests of 3 clients",
  );
  expect(sayReach("blocklist", reach({ requests: 1, denied: 0, clients: 1 }))).toBe(
    "Would have denied 1 request of 1 client in the last hour",
  );
  expect(sayReach("safelist", reach({ denied: 0 }))).toMatch(/changed nothing for 1,204 requests/);
  expect(sayReach("safelist", reach({ requests: 0 }))).toMatch(/^No client in it/);
});

it("counts the customers among them", () => {
  expect(sayWhose(reach())).toBe("No customer was seen among them");
  expect(sayWhose(reach({ customers: [{ text: "1042", count: 9 }] }))).toBe("1 customer among them");
  expect(sayWhose(reach({ requests: 0 }))).toBe("No customer was seen there");
});

it.each([
  ["203.0.113.77", ["203.0.113.77", "203.0.113.0/24"], ["only this address", "256 addresses"]],
  [
    "2001:db8:1:2::9",
    ["2001:db8:1:2::9", "2001:db8:1:2::/64", "2001:db8:1::/48"],
    ["only this address", "one network", "65,536 networks of /64"],
  ],
  ["2001:db8:1:2::/64", ["2001:db8:1:2::/64", "2001:db8:1::/48"], ["one network", "65,536 networks of /64"]],
  ["198.51.100.0/24", ["198.51.100.0/24"], ["256 addresses"]],
  ["198.51.0.0/20", ["198.51.0.0/20"], ["4,096 addresses"]],
  ["nonsense", [], []],
])("offers for %s the networks that its owner may have", (client, addresses, sizes) => {
  const ranges = rangesOf(client);
  expect(ranges.map(({ address }) => address)).toEqual(addresses);
  expect(ranges.map(({ size }) => size)).toEqual(sizes);
});
