import { describe, expect, it } from "vitest";
import type { DeniedClient, Situation, SituationReply } from "@/lib/queries/situation.ts";
import { bandText, blockable, listed, saySituation, sayTrouble, usualFactor } from "./situation-words.ts";

const asOf = Date.parse("2026-11-18T20:46:12Z");
const at = Date.parse("2026-11-18T20:31:00Z");
const usual = {
  requests: { low: 1_700, median: 1_850, high: 2_000 },
  denied: { low: 20, median: 30, high: 35 },
  days: 5,
};

const replyOf = (situation: Situation, more: Partial<SituationReply> = {}): SituationReply => ({
  ...{ asOf, situation, usual: null, from: asOf - 72_000, customers: [], isAllCustomers: true },
  minute: { safelisted: 26, pass: 1_862, throttled: 16, blocked: 8 },
  ...more,
});
const client = (host: number, more: Partial<DeniedClient> = {}): DeniedClient => ({
  ...{ client: `203.0.113.${host}`, requests: 40_000, denied: 39_000, app: "shop", customers: [] },
  ...{ isBlocked: false, ...more },
});
const say = (situation: Situation, more?: Partial<SituationReply>) => {
  const { title, detail } = saySituation(replyOf(situation, more));
  return [title, detail];
};

const network = "AS64500 Example Hosting";
const three = [client(77), client(81, { app: "accounts" }), client(64)];
const attack = {
  ...{ kind: "attack", since: { at, isEarlier: false }, clients: three, network },
  share: { percent: 81, isLeast: false },
} satisfies Situation;

describe("the first sentence", () => {
  it("of an attack", () => {
    expect(say(attack)).toEqual([
      "Attack since 20:31: 3 clients of AS64500 Example Hosting cause 81% of denials.",
      "They are throttled. They sent at least 120,000 requests in the last 2 min, most of them to shop and accounts. No customer is known to use these addresses.",
    ]);
  });

  it("says no more than is known of an attack", () => {
    const least = { percent: 81, isLeast: true };
    const earlier = { at, isEarlier: true };
    const clients = [client(77, { customers: undefined })];
    expect(say({ ...attack, share: least, since: earlier, clients, network: undefined })).toEqual([
      "Attack since 20:31 or earlier: 203.0.113.77 causes at least 81% of denials.",
      "It is throttled. It sent at least 40,000 requests in the last 2 min, most of them to shop. Whether customers use them is unknown.",
    ]);
  });

  it("names the customers whose addresses are left out of the block", () => {
    const clients = [client(77), client(30, { customers: ["acme"] })];
    const found = { ...attack, clients };
    expect(say(found)[1]).toContain("1 address is used by customer acme.");
    expect(blockable(found).map((one) => one.client)).toEqual(["203.0.113.77"]);
  });

  it("of quiet", () => {
    expect(say({ kind: "quiet", against: "usual" }, { usual })).toEqual([
      "Quiet: 24 denials/s, 1.3% of 1,912 requests/s, as usual at this hour.",
      "Usual at this hour: 1,700 to 2,000 requests/s and 20 to 35 denials/s (5 days). No signed-in customer is denied.",
    ]);
    expect(say({ kind: "quiet" })[0]).toBe("Quiet: 24 denials/s, 1.3% of 1,912 requests/s.");
    expect(say({ kind: "quiet" })[1]).toContain("unknown until three earlier days");
    expect(say({ kind: "quiet", against: "below" }, { usual })[0]).toContain(
      "fewer than usual at this hour (20 to 35 denials/s)",
    );
  });

  it("of few requests, by the minute, and of none", () => {
    const minute = { safelisted: 0, pass: 40, throttled: 0.2, blocked: 0 };
    expect(say({ kind: "quiet", against: "usual" }, { usual, minute })[0]).toBe(
      "Quiet: 12 denials/min, of 40.2 requests/s, as usual at this hour.",
    );
    const none = { safelisted: 0, pass: 0, throttled: 0, blocked: 0 };
    expect(say({ kind: "quiet" }, { minute: none })[0]).toBe("Quiet: no requests in the last minute.");
  });

  it("of a mode that enforces less, with the reason", () => {
    const since = { at: "2026-11-18T14:02:00Z", by: "sre@example.org", reason: "Checkout, ticket 4471" };
    expect(say({ kind: "off", since })).toEqual([
      "Protection is off since 14:02. Nothing is blocked or throttled.",
      "Switched by sre@example.org: “Checkout, ticket 4471”.",
    ]);
    expect(say({ kind: "off", since: { at: "2026-11-16T14:02:00Z", by: null, reason: "" } })).toEqual([
      "Protection is off since 16 Nov 14:02. Nothing is blocked or throttled.",
      "Switched by another program.",
    ]);
    expect(say({ kind: "shadow" })[0]).toBe("Rules are in shadow. Only both lists are enforced.");
  });

  it("of what is unknown claims no quiet", () => {
    for (const cause of ["nodes", "reports", "counters"] as const) {
      const [title = ""] = say({ kind: "unknown", cause, apps: ["docs"] });
      expect(title).toMatch(/^Unknown: /);
    }
    const trouble = { kind: "redis", message: "Redis does not answer.", since: at } as const;
    expect(sayTrouble(trouble, replyOf({ kind: "quiet", against: "usual" }, { usual }))).toEqual({
      tone: "throttled",
      title: "Unknown since 20:31:00 UTC. Redis does not answer.",
      detail: "Last known at 20:46:12 UTC: 24 denials/s, 1.3% of 1,912 requests/s.",
    });
  });

  it("of high denials with another reason offers no block", () => {
    const since = { at, isEarlier: false };
    const named = { clients: three, share: { percent: 60, isLeast: true }, network };
    const minute = { safelisted: 0, pass: 1_900, throttled: 1_142, blocked: 196 };
    const of = (reason: Extract<Situation, { kind: "elevated" }>["reason"]) => {
      const situation = { kind: "elevated", since, reason } as const;
      return [...say(situation, { usual, minute }), blockable(situation).length];
    };
    expect(of({ is: "blocked", ...named })).toEqual([
      "High denials since 20:31, from blocked clients: 3 clients of AS64500 Example Hosting cause at least 60% of denials.",
      "They are on the blocklist (403). 1,338 denials/s, 41.3% of 3,238 requests/s, 44× usual at this hour.",
      0,
    ]);
    const change = { at, action: "policy.set", text: "published version 41" };
    expect(of({ is: "change", change })[0]).toBe("High denials since 20:31. At 20:31: published version 41.");
    expect(of({ is: "customers", customers: ["acme"], ...named })[1]).toContain("The customer is acme.");
    expect(of({ is: "spread" })[0]).toBe("High denials since 20:31, from many clients.");
    expect(of({ is: "clients", ...named })[2]).toBe(3);
  });
});

describe("parts of it", () => {
  it("has a factor only above what is usual", () => {
    const of = (throttled: number) =>
      usualFactor({ minute: { safelisted: 0, pass: 0, throttled, blocked: 0 }, usual });
    expect([of(35), of(75), of(1_338)]).toEqual([undefined, 2.5, 44]);
    expect(
      usualFactor({ minute: { safelisted: 0, pass: 0, throttled: 9, blocked: 0 }, usual: null }),
    ).toBeUndefined();
  });

  it("names three at most", () => {
    expect([listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])]).toEqual([
      "apps",
      "a",
      "a and b",
      "a, b, c and 2 more",
    ]);
  });

  it("has a band in the unit of its rate", () => {
    expect([
      bandText({ low: 0.1, high: 0.2 }, "denials"),
      bandText({ low: 0.5, high: 9.25 }, "requests"),
    ]).toEqual(["6 to 12 denials/min", "0.5 to 9.25 requests/s"]);
  });
});
