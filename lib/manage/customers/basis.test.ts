import { describe, expect, it } from "vitest";
import { customer } from "../../enforce/customers/vitest.customers.ts";
import { viewCustomer } from "../../observe/customers/customer-view.ts";
import { keys } from "../../redis/keys.ts";
import { testLog } from "../audit/vitest.log.ts";
import { type CustomerBasis, readBasis, writeBasis } from "./basis.ts";
import { clearOverride } from "./clear-override.ts";
import { setOverride } from "./set-override.ts";
import { setTier } from "./set-tier.ts";

const log = testLog();
const acme = customer("acme");
const reason = "by phone";
const levels = [
  { limit: 7, periodSeconds: 60 },
  { limit: 100, periodSeconds: 3_600 },
];
const noCounts = { read: async () => ({ outcome: "unweighed", reason: "away", message: "" }) as const };
const seen = async () => (await viewCustomer(log.signed().redis, noCounts, acme)).basis;
const tier = (name: string | null, basedOn: CustomerBasis | undefined, by = "ada@example.org") =>
  setTier(log.signed({ name: by }), { id: acme, tier: name, reason, basedOn });
const override = (basedOn: CustomerBasis | undefined, by = "ada@example.org") =>
  setOverride(log.signed({ name: by }), { id: acme, levels, reason, basedOn });

describe("two people who edit one customer", () => {
  it("are kept apart: the later one is refused with the name of the earlier, and nothing is lost", async () => {
    const both = await seen();
    await tier("pro", both);
    const late = override(both, "bob@example.org");
    await expect(late).rejects.toMatchObject({
      code: "changed-since",
      message: expect.stringMatching(
        /^ada@example\.org changed customer acme at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, after you opened it\. Nothing was saved\.$/,
      ),
    });
    expect(await log.client.exists(keys.override(acme), keys.overrideNote(acme))).toBe(0);
    expect(await log.records()).toHaveLength(1);
    await expect(override(await seen(), "bob@example.org")).resolves.toMatchObject({ change: 2 });
  });

  it("of two at once, one saves", async () => {
    const basedOn = await seen();
    const tries = await Promise.allSettled(
      ["pro", "free", "enterprise", "pro"].map((name) =>
        setTier(log.signed({}, log.connect()), { id: acme, tier: name, reason, basedOn }),
      ),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await log.records()).toHaveLength(1);
  });

  it("hear of a foreign hand, of what ended, and of who gave the same levels again", async () => {
    const before = await seen();
    await log.client.hset(keys.override(acme), "60", "5");
    const outside =
      "Customer acme was changed outside of Sluice, or its override expired, after you opened it.";
    await expect(tier("pro", before)).rejects.toMatchObject({ message: `${outside} Nothing was saved.` });
    const withEnd = await seen();
    await log.client.pexpire(keys.override(acme), 60_000);
    await expect(tier("pro", withEnd)).rejects.toMatchObject({ code: "changed-since" });
    await override(undefined);
    const mine = await seen();
    await override(undefined, "bob@example.org");
    const clear = clearOverride(log.signed(), { id: acme, reason, basedOn: mine });
    await expect(clear).rejects.toMatchObject({ message: expect.stringContaining("bob@example.org") });
    expect(await log.client.exists(keys.override(acme))).toBe(1);
  });
});

describe("one person", () => {
  it("goes on from what the last change gave, and is what a new look would see", async () => {
    let basis = (await tier("pro", await seen())).basis;
    expect(basis).toEqual(await seen());
    basis = (await override(basis)).basis;
    expect(basis).toEqual(await seen());
    basis = (await clearOverride(log.signed(), { id: acme, reason, basedOn: basis })).basis;
    expect(basis).toEqual(await seen());
    basis = (await tier("pro", basis)).basis;
    expect(basis).toEqual(await seen());
    basis = (await tier(null, basis)).basis;
    expect(basis).toEqual(await seen());
  });

  it("is not disturbed by time, nor by changes of others", async () => {
    await setOverride(log.signed(), { id: acme, levels, reason, expiresInMs: 3_600_000 });
    const basis = await seen();
    await setTier(log.signed(), { id: customer("other"), tier: "pro", reason });
    await log.client.hset("customer:x:throttle_hash", "60", "5");
    expect((await seen()).digest).toBe(basis.digest);
    await expect(tier("pro", basis)).resolves.toMatchObject({ outcome: "set" });
  });
});

it("comes back from the browser as it went, or not at all", async () => {
  const basis = await seen();
  expect(readBasis(writeBasis(basis))).toEqual(basis);
  for (const text of ["", "x", `${basis.digest}`, `${basis.digest}--1`, `${basis.digest}-1e9`])
    expect(() => readBasis(text)).toThrow("Reload the page");
});
