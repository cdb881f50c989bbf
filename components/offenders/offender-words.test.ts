import { expect, it } from "vitest";
import { readLiveView, writeLiveView } from "@/components/console/live-view.ts";
import * as words from "./offender-words.ts";
import { periodText } from "./period-text.ts";
import { counter, estimate, offenderOf } from "./vitest.offender.ts";

const address = "203.0.113.9";

it("writes the evidence as a reason for a block", () => {
  expect(words.sayCount({ ...counter(), used: 611 })).toBe("611 of 600 per 30 min by req/ip/2");
  expect(words.sayCount({ ...counter(), limit: null })).toBe("600 per 30 min by req/ip/2");
  expect(words.sayEstimate(estimate())).toBe("0.82/s, limit 0.5/s by rate/ip");
  expect([86_400, 7_200, 300, 90].map(periodText)).toEqual(["1 d", "2 h", "5 min", "90 s"]);
  const one = offenderOf(address, { tool: "sqlmap" });
  expect(words.evidenceOf(one)).toBe("600 of 600 per 30 min by req/ip/2, 3.0 denied/s, uses sqlmap");
  const fast = { counter: counter({ used: 9, isOver: false }), estimate: estimate(), deniedPerSecond: 0 };
  expect(words.evidenceOf({ ...one, ...fast, tool: undefined })).toBe("0.82/s, limit 0.5/s by rate/ip");
  expect(words.evidenceOfAll([one, one])).toBe("2 offenders, 6.0 denied/s together");
  expect(words.evidenceOfAll([one])).toBe(words.evidenceOf(one));
});

it("writes rates of a column with one decimal, where it tells something", () => {
  expect([1_084.4, 99.96, 36.14, 4, 0.05, 0.01, 0].map(words.perSecondText)).toEqual([
    ...["1,084", "100", "36.1", "4.0", "0.1", "under 0.1", "0"],
  ]);
});

it("shows when a client is below each of its limits", () => {
  expect(words.clearsText(offenderOf(address))).toBe("1 min 48 s");
  expect(words.clearsText(offenderOf(address, { clearsMs: null, standing: "near" }))).toBe("under limit");
  expect(words.clearsText(offenderOf(address, { clearsMs: null, standing: "unknown" }))).toBe("1 min 48 s");
});

it("names the state of a client, as the mode enforces it", () => {
  const block = { list: "blocklist", address, reason: "" } as const;
  const blocked = offenderOf(address, { listed: block });
  const throttled = offenderOf(address);
  const text = (of: typeof blocked, mode?: "enforce" | "shadow" | "off") => words.stateOf(of, mode).text;
  expect([text(throttled, "enforce"), text(throttled, "shadow"), text(throttled, "off")]).toEqual([
    ...["Throttled", "Would be denied", "Not enforced"],
  ]);
  expect([text(blocked, "enforce"), text(blocked, "shadow"), text(blocked, "off")]).toEqual([
    ...["Blocked", "Would be denied", "Not enforced"],
  ]);
  const safelisted = { ...throttled, listed: { ...block, list: "safelist" } as const };
  expect(text(safelisted, "enforce")).toBe("Safelisted");
  const others = (["shadow", "near", "unknown", "under"] as const).map((standing) =>
    text({ ...throttled, standing }, "enforce"),
  );
  expect(text({ ...throttled, standing: "unknown", counter: null }, "enforce")).toBe("Unknown");
  expect(others).toEqual(["Would be denied", "Near limit", "Limit unknown", "Under limit"]);
});

it("sums up a selection, and claims no customers only when they are known", () => {
  const one = offenderOf(address);
  expect(words.saySelected([one, one], 12)).toBe("6.0 denied/s · 50% · no customers");
  expect(words.saySelected([{ ...one, customers: null }], 0)).toBe("3.0 denied/s · customers unknown");
  expect(words.saySelected([{ ...one, customers: ["acme"] }], 1)).toBe("3.0 denied/s · 100% · customer acme");
  expect(words.sayCustomers([{ ...one, customers: ["acme", "1042"] }])).toBe("2 customers");
});

it("says of a customer whose address is blocked what decides, not what its counters say", () => {
  const entry = { list: "blocklist", address: "192.0.2.30", reason: "", expiresAt: null } as const;
  const blockedAddresses = { blocked: 1, total: 1, entries: [entry] };
  const customer = offenderOf("acme", { kind: "customer", standing: "throttled", blockedAddresses });
  expect(words.stateOf(customer, "enforce")).toEqual({ tone: "blocked", text: "Blocked" });
  expect(words.decidedBy(customer)).toBe("addresses");
  const partly = { ...customer, blockedAddresses: { ...blockedAddresses, total: 3 } };
  expect(words.decidedBy(partly)).toBe("limits");
  const free = { ...partly, standing: "under" } as const;
  expect(words.stateOf(free, "enforce").text).toBe("1 of 3 blocked");
  expect(words.decidedBy(free)).toBe("addresses");
  expect(words.stateOf(customer, "off").text).toBe("Not enforced");
  const { blockedAddresses: _, ...limited } = customer;
  expect(words.stateOf(limited, "enforce").text).toBe("Throttled");
  expect(words.decidedBy(limited)).toBe("limits");
  expect(words.decidedBy(offenderOf("192.0.2.30", { listed: entry }))).toBe("entry");
});

it("counts denied clients as far as nodes name them", () => {
  const reply = { asOf: 0, isCounted: true, clients: [], deniedPerSecond: 0, over: 0, foreignAgeMs: null };
  expect(words.sayDenied({ ...reply, denied: 1 }, 100)).toBe("1 client denied in the last minute");
  expect(words.sayDenied({ ...reply, denied: 100 }, 100)).toBe(
    "100 or more clients denied in the last minute",
  );
});

it("links to the client or customer", () => {
  expect(words.clientHref({ kind: "ip", client: "2001:db8:1:2::/64" })).toBe(
    "/clients/2001%3Adb8%3A1%3A2%3A%3A%2F64",
  );
  expect(words.clientHref({ kind: "customer", client: "1042" })).toBe("/customers/1042");
  expect(words.clientHref({ kind: "rule", client: "joe" })).toBeUndefined();
});

it("stores the live view in the URL, beside the parameters of others", () => {
  const view = { range: "24h", app: "shop & co" } as const;
  expect(readLiveView(new URLSearchParams(writeLiveView(view)))).toEqual(view);
  expect(writeLiveView({ range: "15m", app: undefined })).toBe("");
  expect(readLiveView(new URLSearchParams("range=nonsense&app="))).toEqual({ range: "15m", app: undefined });
  const others = new URLSearchParams("tool=sqlmap&app=docs");
  expect(writeLiveView({ range: "1h", app: undefined }, others)).toBe("?tool=sqlmap&range=1h");
});
