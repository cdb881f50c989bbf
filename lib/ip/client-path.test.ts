import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientAddress, parseTrust, type Trust } from "./client-address.ts";
import { clientPath } from "./client-path.ts";

function trusting(setting: string | number): Trust {
  const trust = parseTrust(setting);
  if (!trust.ok) throw new Error(trust.reason);
  return trust.value;
}

const noTrust = trusting(0);

const say = (...given: Parameters<typeof clientPath>) =>
  clientPath(...given).map(({ text, part, because }) => `${text} ${part}${because ? ` (${because})` : ""}`);

describe("clientPath", () => {
  it("explains each trusted proxy, up to the client", () => {
    expect(say("10.0.0.2", "1.1.1.1, 203.0.113.9, 10.0.0.7", trusting("10.0.0.0/8"))).toEqual([
      "10.0.0.2 proxy (10.0.0.0/8)",
      "10.0.0.7 proxy (10.0.0.0/8)",
      "203.0.113.9 client",
      "1.1.1.1 ignored",
    ]);
    expect(say("192.0.2.1", "1.1.1.1, 203.0.113.9", trusting(1))).toEqual([
      "192.0.2.1 proxy (hop 1 of 1)",
      "203.0.113.9 client",
      "1.1.1.1 ignored",
    ]);
  });

  it("trusts no hop behind an untrusted one, nor behind text that is not an address", () => {
    expect(say("192.0.2.1", "203.0.113.9", noTrust)).toEqual(["192.0.2.1 client", "203.0.113.9 ignored"]);
    expect(say("10.0.0.2", "203.0.113.9, unknown", trusting("10.0.0.0/8"))).toEqual([
      "10.0.0.2 client (10.0.0.0/8)",
      "unknown ignored",
      "203.0.113.9 ignored",
    ]);
  });

  it("finds no client without a peer, and returns at most sixteen ignored hops", () => {
    expect(say(undefined, "203.0.113.9", trusting(1))).toEqual(["203.0.113.9 ignored"]);
    expect(say("10.0.0.2", "1.1.1.1,".repeat(1_000), noTrust)).toHaveLength(17);
    const proxies = `203.0.113.9${",10.0.0.7".repeat(40)}`;
    expect(say("10.0.0.2", proxies, trusting("10.0.0.0/8")).slice(-1)).toEqual(["203.0.113.9 client"]);
    expect(say("10.0.0.2", null, trusting(1))).toEqual(["10.0.0.2 client (hop 1 of 1)"]);
  });

  it("finds the same client as the guard", () => {
    const party = fc.constantFrom(
      "10.0.0.1",
      "10.9.9.9",
      "203.0.113.9",
      "2001:db8::1",
      "[::1]:80",
      "",
      "nonsense",
      "1.2.3.4:99",
    );
    const peer = fc.option(fc.constantFrom("10.0.0.1", "203.0.113.1", "fe80::1%eth0", "gone"), {
      nil: undefined,
    });
    const setting = fc.constantFrom<string | number>(0, 1, 3, "10.0.0.0/8", "10.0.0.0/8, 2001:db8::/32");
    fc.assert(
      fc.property(peer, fc.array(party, { maxLength: 5 }), setting, (from, parties, trusted) => {
        const [header, trust] = [parties.length > 0 ? parties.join(", ") : null, trusting(trusted)];
        const client = clientPath(from, header, trust).find(({ part }) => part === "client");
        expect(client?.address).toBe(clientAddress(from, header, trust));
      }),
      { numRuns: 2_000 },
    );
  });
});
