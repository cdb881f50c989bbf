import { expect, it } from "vitest";
import type { Reach } from "@/lib/queries/client.ts";
import { lastHourWords } from "./last-hour-words.ts";

const reach: Reach = {
  ...{ asOf: 0, address: "203.0.113.0/24", requests: 7_354, denied: 5_380, clients: 4 },
  ...{ busiest: [], customers: [], customersKnownSince: 0, countedWith: null },
};

it.each([
  [reach, "7,354 requests of 4 clients, 5,380 denied in the last hour."],
  [{ ...reach, requests: 1, denied: 0, clients: 1 }, "1 request, 0 denied in the last hour."],
  [
    { ...reach, clients: 1, countedWith: "2001:db8::/64" },
    "7,354 requests, 5,380 denied in the last hour (all of 2001:db8::/64).",
  ],
  [{ ...reach, requests: 0, clients: 0 }, "Not among the busiest clients of the last hour."],
  [undefined, "Requests of the last hour: unknown."],
])("says the requests of the last hour, and claims none only where that is known", (given, words) => {
  expect(lastHourWords(given)).toBe(words);
});
