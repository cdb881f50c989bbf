import { expect, it } from "vitest";
import { blockedText, blockQuestion, namesOf, sayNoOwner } from "./owner-words.ts";

const hourMs = 3_600_000;
const owner = (customer: string, requests = 0) => ({ customer, requests, lastAt: 0 });
const used = (address: string, ...owners: ReturnType<typeof owner>[]) => ({ address, owners, isAll: true });

it("claims that there is no customer only for the time of which that is known", () => {
  expect(sayNoOwner({ asOf: 9e8, knownSince: null })).toMatch(/^Customers unknown/);
  expect(sayNoOwner({ asOf: 9e8, knownSince: 9e8 - 2_460_000 })).toBe("No customer in the last 41 min");
  expect(sayNoOwner({ asOf: 9e8, knownSince: 9e8 - 604_800_000 })).toBe("No customer in the last week");
});

it("names customers, and the number of those that are left out", () => {
  expect(namesOf([owner("acme")])).toBe("acme");
  expect(namesOf(["a", "b"].map((one) => owner(one)))).toBe("a and b");
  expect(namesOf(["a", "b", "c", "d", "e"].map((one) => owner(one)))).toBe("a, b, c and 2 more");
});

it("asks before a block that would hit a customer", () => {
  expect(blockQuestion([used("203.0.113.9")], hourMs)).toBeUndefined();
  expect(blockQuestion([used("192.0.2.30", owner("acme", 2_440))], hourMs)).toEqual({
    title: "192.0.2.30 is used by customer acme. Block it anyway?",
    description: "Requests of customer acme (2,440 signed-in requests in the last hour) would get 403.",
    label: "Block 192.0.2.30 for 1 hour",
  });
  const several = [
    used("192.0.2.30", owner("acme", 7)),
    used("203.0.113.9"),
    used("192.0.2.10", owner("1042")),
  ];
  expect(blockQuestion(several, 168 * hourMs)).toEqual({
    title: "2 of 3 addresses are used by customers acme and 1042. Block them anyway?",
    description: "Requests of customers acme (7 signed-in requests in the last hour), 1042 would get 403.",
    label: "Block 3 addresses for 1 week",
  });
});

it("says what was blocked, and whose it was", () => {
  expect(blockedText([used("203.0.113.81")], 1, 24 * hourMs)).toBe("203.0.113.81 blocked for 24 hours");
  expect(blockedText([used("192.0.2.30", owner("acme"))], 1, hourMs)).toBe(
    "192.0.2.30 (acme) blocked for 1 hour",
  );
  expect(blockedText([used("a", owner("acme")), used("b")], 2, hourMs)).toBe(
    "2 blocked for 1 hour, with customer acme",
  );
  expect(blockedText([used("203.0.113.81")], 0, hourMs)).toBe("No change needed");
});
