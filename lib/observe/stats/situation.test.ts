import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DeniedClient, type SituationFacts, situationOf } from "./situation.ts";

const minuteMs = 60_000;
const nowMs = Date.parse("2026-11-18T20:46:12Z");
const thisMinute = Math.floor(nowMs / minuteMs) * minuteMs;
const hosting = { asn: 64500, name: "Example Hosting" };

const client = (host: number, denied: number, more: Partial<DeniedClient> = {}): DeniedClient => ({
  ...{
    client: `203.0.113.${host}`,
    requests: denied + 2,
    denied,
    app: "shop",
    network: hosting,
    customers: [],
  },
  ...{ isBlocked: false, ...more },
});

/** Denials per second of the minutes before this one, the last `minutes.length` of an hour of quiet. */
function hour(...minutes: (number | undefined)[]) {
  const all = [...Array.from({ length: 60 - minutes.length }, () => 0.2), ...minutes];
  return all.map((perSecond, i) => ({ at: thisMinute - (60 - i) * minuteMs, perSecond }));
}

const usual = {
  requests: { low: 1_700, median: 1_850, high: 2_000 },
  denied: { low: 20, median: 28, high: 35 },
  days: 5,
};

const quiet: SituationFacts = {
  ...{ nowMs, mode: "enforce", modeSince: undefined, areCountersUp: true, nodes: 6, silentApps: [] },
  minute: { requests: 1_912, throttled: 0.15, blocked: 0.05 },
  usual: undefined,
  deniedMinutes: hour(),
  recent: { from: thisMinute - minuteMs, denied: 14 },
  ...{ clients: [client(9, 14)], changes: [] },
};

const attack: SituationFacts = {
  ...quiet,
  minute: { requests: 3_248, throttled: 1_142, blocked: 196 },
  deniedMinutes: hour(900, 1_300, 1_338),
  recent: { from: thisMinute - minuteMs, denied: 100_000 },
  clients: [
    client(77, 48_000),
    client(81, 22_000),
    client(66, 12_800, { isBlocked: true }),
    client(64, 10_600),
    client(30, 1_200, { network: { asn: 64501 }, customers: ["acme"] }),
  ],
};

describe("what is unknown comes first", () => {
  it("claims nothing without a node of an app, even with the mode off", () => {
    expect(situationOf({ ...attack, nodes: 0, mode: "off" })).toEqual({
      kind: "unknown",
      cause: "nodes",
      apps: [],
    });
  });

  it("then says that protection is off, with the reason, or that rules are in shadow", () => {
    const since = { at: "2026-11-18T20:34:00Z", by: "sre@example.org", reason: "Checkout" };
    expect(situationOf({ ...attack, mode: "off", modeSince: since, areCountersUp: false })).toEqual({
      kind: "off",
      since,
    });
    expect(situationOf({ ...attack, mode: "shadow" })).toMatchObject({ kind: "shadow" });
  });

  it("does not call it quiet without counters, or while an app does not report", () => {
    expect(situationOf({ ...quiet, areCountersUp: false })).toMatchObject({
      kind: "unknown",
      cause: "counters",
    });
    expect(situationOf({ ...quiet, silentApps: ["docs"] })).toEqual({
      kind: "unknown",
      cause: "reports",
      apps: ["docs"],
    });
  });

  it("reports an attack that is known although another app does not report", () => {
    expect(situationOf({ ...attack, silentApps: ["docs"] })).toMatchObject({ kind: "attack" });
  });
});

describe("an attack", () => {
  it("names the clients that cause most denials, their network, and since when", () => {
    expect(situationOf(attack)).toMatchObject({
      kind: "attack",
      since: { at: thisMinute - 3 * minuteMs, isEarlier: false },
      clients: [{ client: "203.0.113.77" }, { client: "203.0.113.81" }, { client: "203.0.113.64" }],
      share: { percent: 80, isLeast: true },
      network: "AS64500 Example Hosting",
    });
  });

  it("has an exact share only if the denials of all clients are known", () => {
    const clients = [client(77, 60_000), client(9, 40_000, { isBlocked: true })];
    expect(situationOf({ ...attack, clients })).toMatchObject({ share: { percent: 60, isLeast: false } });
  });

  it("names no network if the clients have several, or if one is unknown", () => {
    for (const network of [{ asn: 64999 }, undefined]) {
      const found = situationOf({
        ...attack,
        clients: [client(77, 48_000), client(81, 22_000, { network })],
      });
      expect(found).toMatchObject({ kind: "attack", network: undefined });
    }
  });

  it("names a customer's address among the clients", () => {
    const clients = [client(77, 48_000), client(30, 12_000, { customers: ["acme"] })];
    const found = situationOf({ ...attack, clients });
    expect(found).toMatchObject({ kind: "attack", clients: [{}, { customers: ["acme"] }] });
  });

  it("is that of a network of which no client has a notable share", () => {
    const of = (asn: number, count: number) =>
      Array.from({ length: count }, (_, i) => client(i, 3_000, { network: { asn, name: "Net" } }));
    const found = situationOf({ ...attack, clients: [...of(64500, 20), ...of(64501, 10)] });
    expect(found).toMatchObject({ kind: "attack", share: { percent: 60 }, network: "AS64500 Net" });
    expect(found.kind === "attack" && found.clients).toHaveLength(20);
  });

  it("begins before the known minutes if these have a gap, or are all high", () => {
    const since = (deniedMinutes: SituationFacts["deniedMinutes"]) => {
      const found = situationOf({ ...attack, deniedMinutes });
      return found.kind === "attack" && found.since;
    };
    expect(since(hour(undefined, 1_300, 1_338))).toEqual({ at: thisMinute - 2 * minuteMs, isEarlier: true });
    expect(since(hour(...Array.from({ length: 60 }, () => 900)))).toEqual({
      at: thisMinute - 60 * minuteMs,
      isEarlier: true,
    });
    expect(since(hour())).toEqual({ at: thisMinute, isEarlier: false });
  });

  it("needs three times the highest usual rate, where that is known", () => {
    const minute = { requests: 1_912, throttled: 100, blocked: 0 };
    expect(situationOf({ ...attack, usual, minute })).toMatchObject({
      kind: "elevated",
      reason: { is: "clients" },
    });
    expect(situationOf({ ...attack, usual, minute: { ...minute, throttled: 105 } })).toMatchObject({
      kind: "attack",
    });
  });
});

describe("high denials for a known reason", () => {
  const reasonOf = (facts: Partial<SituationFacts>) => {
    const found = situationOf({ ...attack, ...facts });
    return found.kind === "elevated" ? found.reason : found;
  };

  it("are those of blocked clients", () => {
    const clients = [client(77, 80_000, { isBlocked: true }), client(9, 4_000)];
    expect(reasonOf({ clients })).toMatchObject({ is: "blocked", share: { percent: 80 }, clients: [{}] });
  });

  it("are those of customers", () => {
    const clients = [
      client(30, 80_000, { customers: ["acme"] }),
      client(31, 10_000, { customers: ["acme", "1042"] }),
    ];
    expect(reasonOf({ clients })).toMatchObject({ is: "customers", customers: ["acme", "1042"] });
  });

  it("began within a minute after a change of policy or blocklist", () => {
    const change = (minutes: number, action = "policy.set") => ({
      ...{ at: thisMinute - minutes * minuteMs, action, text: "published version 41" },
    });
    const clients = [client(77, 4_000)];
    expect(reasonOf({ clients, changes: [change(4)] })).toEqual({ is: "change", change: change(4) });
    for (const other of [change(1), change(7), change(4, "customer.tier")])
      expect(reasonOf({ clients, changes: [other] })).toEqual({ is: "spread" });
    expect(
      reasonOf({
        clients,
        changes: [change(60)],
        deniedMinutes: hour(undefined, ...Array.from({ length: 59 }, () => 900)),
      }),
    ).toEqual({ is: "spread" });
  });

  it("are spread over many clients", () => {
    expect(reasonOf({ clients: [client(77, 12_000), client(78, 11_000)] })).toEqual({ is: "spread" });
  });
});

describe("quiet", () => {
  it("says nothing of what is usual without enough days", () => {
    expect(situationOf(quiet)).toEqual({ kind: "quiet", against: undefined });
  });

  it.each([
    [19, "below"],
    [20, "usual"],
    [35, "usual"],
  ] as const)("compares %s denials/s with the usual 20 to 35: %s", (throttled, against) => {
    const minute = { requests: 40, throttled, blocked: 0 };
    expect(situationOf({ ...quiet, usual, minute })).toEqual({ kind: "quiet", against });
  });

  it("is less than one denial a second, also where that is more than usual", () => {
    const rare = { ...usual, denied: { low: 0, median: 0.1, high: 0.3 } };
    const minute = { requests: 2, throttled: 0.9, blocked: 0 };
    expect(situationOf({ ...quiet, usual: rare, minute })).toEqual({ kind: "quiet", against: "above" });
  });
});

const rate = fc.double({ min: 0, max: 1e5, noNaN: true });
const count = fc.nat({ max: 1_000_000 });
const anyClient = fc.record({
  ...{ client: fc.ipV4(), requests: count, denied: count, app: fc.constantFrom("shop", "docs") },
  network: fc.option(fc.record({ asn: fc.integer({ min: 1, max: 4 }) }), { nil: undefined }),
  customers: fc.option(fc.array(fc.constantFrom("acme", "1042")), { nil: undefined }),
  isBlocked: fc.boolean(),
});
const anyUsual = fc.record({ low: rate, high: rate, median: rate });
const anyFacts: fc.Arbitrary<SituationFacts> = fc.record({
  nowMs: fc.constant(nowMs),
  mode: fc.constantFrom("enforce", "shadow", "off"),
  modeSince: fc.constant(undefined),
  areCountersUp: fc.boolean(),
  nodes: fc.nat({ max: 3 }),
  silentApps: fc.array(fc.constantFrom("shop", "docs"), { maxLength: 2 }),
  minute: fc.record({ requests: rate, throttled: rate, blocked: rate }),
  usual: fc.option(fc.record({ requests: anyUsual, denied: anyUsual, days: fc.nat({ max: 7 }) }), {
    nil: undefined,
  }),
  deniedMinutes: fc
    .array(fc.option(rate, { nil: undefined }), { maxLength: 60 })
    .map((minutes) =>
      minutes.map((perSecond, i) => ({ at: thisMinute - (minutes.length - i) * minuteMs, perSecond })),
    ),
  recent: fc.record({ from: fc.constant(thisMinute - minuteMs), denied: count }),
  clients: fc.array(anyClient, { maxLength: 40 }),
  changes: fc.array(
    fc.record({
      at: fc.integer({ min: thisMinute - 3_600_000, max: nowMs }),
      action: fc.constantFrom("policy.set", "blocklist.add", "customer.tier"),
      text: fc.constant("changed"),
    }),
    { maxLength: 3 },
  ),
});

describe("whatever the facts", () => {
  const always = (says: (facts: SituationFacts, found: ReturnType<typeof situationOf>) => void) =>
    fc.assert(
      fc.property(anyFacts, (facts) => {
        says(facts, situationOf(facts));
      }),
      { numRuns: 2_000 },
    );

  it("nothing is quiet while something is unknown, off or in shadow", () => {
    always(({ nodes, silentApps, areCountersUp, mode }, { kind }) => {
      if (kind !== "quiet") return;
      expect([nodes > 0, silentApps, areCountersUp, mode]).toEqual([true, [], true, "enforce"]);
    });
  });

  it("nothing is compared with what is usual while that is unknown", () => {
    always(({ usual, minute }, found) => {
      if (found.kind !== "quiet") return;
      if (!usual) return expect(found.against).toBeUndefined();
      const denied = minute.throttled + minute.blocked;
      expect(found.against === "usual").toBe(denied <= usual.denied.high && denied >= usual.denied.low);
    });
  });

  it("a share is between half and all of the denials, and not above what the clients are known to cause", () => {
    always(({ recent }, found) => {
      const named = found.kind === "elevated" ? found.reason : found;
      if (!("share" in named)) return;
      const known = named.clients.reduce((sum, { denied }) => sum + denied, 0);
      expect(named.share.percent).toBeGreaterThanOrEqual(50);
      expect(named.share.percent).toBeLessThanOrEqual(Math.min(100, (100 * known) / recent.denied));
      if (known < recent.denied && named.share.percent === 100) expect(named.share.isLeast).toBe(true);
    });
  });

  it("an attack names no client that is blocked, and at least one that is not known to be a customer's", () => {
    always((_, found) => {
      if (found.kind !== "attack") return;
      expect(found.clients.some(({ isBlocked }) => isBlocked)).toBe(false);
      expect(found.clients.some(({ customers = [] }) => customers.length === 0)).toBe(true);
    });
  });

  it("a network is named only if it is that of each named client", () => {
    always((_, found) => {
      const named = found.kind === "elevated" ? found.reason : found;
      if (!("network" in named) || named.network === undefined) return;
      const numbers = named.clients.map(({ network }) => `AS${network?.asn}`);
      expect(numbers.every((number) => number === named.network)).toBe(true);
    });
  });
});
