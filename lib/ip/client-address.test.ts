import { describe, expect, it } from "vitest";
import { clientAddress, parseTrust, type Trust } from "./client-address.ts";

function trust(setting: Parameters<typeof parseTrust>[0]): Trust {
  const parsed = parseTrust(setting);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const noProxy = trust(undefined);
const proxies = trust("10.0.0.0/8, 2001:db8::/32");
const one = trust(1);
const two = trust("2");

describe("who the client is", () => {
  it.each<
    [
      why: string,
      trust: Trust,
      peer: string | undefined,
      header: string | null | undefined,
      is: string | undefined,
    ]
  >([
    ["no proxy is trusted", noProxy, "203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["an untrusted peer forges the header", proxies, "203.0.113.5", "10.0.0.1, 127.0.0.1", "203.0.113.5"],
    ["a proxy reports", proxies, "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    [
      "the client forged entries before the proxy's",
      proxies,
      "10.0.0.1",
      "127.0.0.1, 10.9.9.9, 198.51.100.1",
      "198.51.100.1",
    ],
    ["two proxies in a row", proxies, "10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"],
    ["everyone is a proxy", proxies, "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["a proxy sends no header", proxies, "10.0.0.1", undefined, "10.0.0.1"],
    ["a proxy sends an empty header", proxies, "10.0.0.1", "", "10.0.0.1"],
    ["a null header", proxies, "10.0.0.1", null, "10.0.0.1"],
    ["the proxy speaks IPv6", proxies, "2001:db8::5", "2a00::1", "2a00::1"],
    [
      "a dual-stack socket shows the proxy",
      proxies,
      "::ffff:10.0.0.1",
      "::ffff:198.51.100.1",
      "198.51.100.1",
    ],
    ["entries in odd spelling", proxies, "10.0.0.1", "2A00:0:0::0001", "2a00::1"],
    ["entries with ports", proxies, "10.0.0.1", "198.51.100.1:5544, 10.0.0.2:80", "198.51.100.1"],
    ["an IPv6 entry with port", proxies, "10.0.0.1", "[2a00::1]:443,[2001:db8::1]:443", "2a00::1"],
    ["an IPv6 entry in brackets", proxies, "10.0.0.1", "[2a00::1]", "2a00::1"],
    ["white space around", proxies, "10.0.0.1", " \t198.51.100.1 ,10.0.0.2\t", "198.51.100.1"],
    ["a hop reports junk", proxies, "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"],
    ["the peer reports junk", proxies, "10.0.0.1", "198.51.100.1, <script>", "10.0.0.1"],
    ["an empty entry is junk", proxies, "10.0.0.1", "198.51.100.1,", "10.0.0.1"],
    ["only a comma", proxies, "10.0.0.1", ",", "10.0.0.1"],
    ["a range is junk", proxies, "10.0.0.1", "198.51.100.0/24", "10.0.0.1"],
    ["a range of one is junk too", proxies, "10.0.0.1", "198.51.100.1/32", "10.0.0.1"],
    ["an octal spelling is junk", proxies, "10.0.0.1", "0127.0.0.1", "10.0.0.1"],
    ["a zone in the header is junk", proxies, "10.0.0.1", "fe80::1%eth0", "10.0.0.1"],
    ["a bad port is junk", proxies, "10.0.0.1", "198.51.100.1:http", "10.0.0.1"],
    ["a port alone is junk", proxies, "10.0.0.1", ":80", "10.0.0.1"],
    ["unclosed brackets are junk", proxies, "10.0.0.1", "[2a00::1", "10.0.0.1"],
    ["one hop", one, "10.0.0.1", "127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["two hops", two, "10.0.0.1", "127.0.0.1, 198.51.100.1, 172.16.0.1", "198.51.100.1"],
    ["fewer entries than hops", two, "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["no entries for the hops", two, "10.0.0.1", undefined, "10.0.0.1"],
    ["junk within the hops", two, "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["junk beyond the hops", one, "10.0.0.1", "unknown, 198.51.100.1", "198.51.100.1"],
    ["the socket has gone", proxies, undefined, "198.51.100.1", undefined],
    ["the peer is no address", one, "/run/app.sock", "198.51.100.1", undefined],
    ["the peer is a range", noProxy, "1.2.3.4/32", undefined, undefined],
    ["a link-local peer has a zone", noProxy, "fe80::1%eth0", undefined, "fe80::1"],
    ["a trusted link-local peer", trust("fe80::/10"), "fe80::1%eth0", "198.51.100.1", "198.51.100.1"],
  ])("%s", (_why, trusted, peer, header, client) => {
    expect(clientAddress(peer, header, trusted)).toBe(client);
  });

  it("reads only the necessary end of a long header", () => {
    const forged = "x".repeat(8_000);
    expect(clientAddress("10.0.0.1", `${forged}, 198.51.100.1`, proxies)).toBe("198.51.100.1");
    expect(clientAddress("10.0.0.1", forged, proxies)).toBe("10.0.0.1");
    expect(clientAddress("10.0.0.1", `[${":".repeat(8_000)}`, proxies)).toBe("10.0.0.1");
  });

  it("reads a long header to its beginning quickly", () => {
    const begun = performance.now();
    for (let round = 0; round < 100; round++) {
      expect(clientAddress("10.0.0.1", `203.0.113.9${",10.0.0.2".repeat(900)}`, proxies)).toBe("203.0.113.9");
      expect(clientAddress("10.0.0.1", ",".repeat(8_000), trust(32))).toBe("10.0.0.1");
    }
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe("the trusted-proxies setting", () => {
  it.each([undefined, "", "  ", 0, "0", []])("%j trusts no proxy", (setting) => {
    expect(trust(setting)).toMatchObject({ hops: 0, ranges: { ranges: [] } });
  });

  it.each([
    [3, 3],
    [" 3 ", 3],
    ["32", 32],
  ])("%j is a number of hops", (setting, hops) => {
    expect(trust(setting)).toMatchObject({ hops, ranges: { ranges: [] } });
  });

  it.each([
    ["10.0.0.0/8", ["10.0.0.0/8"]],
    ["10.0.0.0/8,192.0.2.1", ["10.0.0.0/8", "192.0.2.1"]],
    [" 10.0.0.0/8 ,\n 2001:DB8::/32\t::1,", ["10.0.0.0/8", "2001:db8::/32", "::1"]],
    [
      ["::ffff:10.0.0.0/104", " 192.0.2.1 ", ""],
      ["10.0.0.0/8", "192.0.2.1"],
    ],
  ])("%j is a list of ranges", (setting, ranges) => {
    expect(trust(setting)).toMatchObject({ hops: 0, ranges: { ranges } });
  });

  it.each([
    [-1, "from 0 to 32"],
    ["-1", "from 0 to 32"],
    [1.5, "from 0 to 32"],
    ["1.5", "from 0 to 32"],
    [33, "from 0 to 32"],
    [Number.NaN, "from 0 to 32"],
    ["10.0.0.1/8", "the range is 10.0.0.0/8"],
    ["10.0.0.0/8, proxy.internal", "proxy.internal is not an address or a range"],
    [["10.0.0.0/8", "300.1.1.1"], "each part is at most 255"],
    ["true", "true is not an address or a range"],
  ])("%j is refused", (setting, reason) => {
    expect(parseTrust(setting)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });
});
