import { expect, it } from "vitest";
import { parseIp } from "../../ip/parse.ts";
import { type Dns, ReverseDns } from "./reverse-dns.ts";

const ipOf = (text: string) => {
  const parsed = parseIp(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
};
const ip = ipOf("66.249.66.1");
const failure = (code: string) => Promise.reject(Object.assign(new Error(`query ${code}`), { code }));
const never = () => new Promise<string[]>(() => {});

/** DNS that counts the questions it gets. */
function dnsOf(some: Partial<Dns>) {
  const asked: string[] = [];
  const noted = (kind: keyof Dns) => (text: string) => {
    asked.push(`${kind} ${text}`);
    return some[kind]?.(text) ?? failure("ENOTFOUND");
  };
  return { asked, reverse: noted("reverse"), resolve4: noted("resolve4"), resolve6: noted("resolve6") };
}

it("confirms a name by its address", async () => {
  const dns = dnsOf({
    reverse: async () => ["crawl.googlebot.com", "other.example.org"],
    resolve4: async (name) => (name === "crawl.googlebot.com" ? ["192.0.2.1", "66.249.66.1"] : ["192.0.2.1"]),
  });
  expect(await new ReverseDns({ isOn: true, dns }).namesOf(ip)).toEqual({
    outcome: "answered",
    names: [
      { name: "crawl.googlebot.com", isConfirmed: true },
      { name: "other.example.org", isConfirmed: false },
    ],
    isPartly: false,
  });
});

it("confirms a name of IPv6 in any spelling", async () => {
  const dns = dnsOf({
    reverse: async () => ["a.example.org"],
    resolve6: async () => ["2001:4860:0:0:0:0:0:1"],
  });
  const found = await new ReverseDns({ isOn: true, dns }).namesOf(ipOf("2001:4860::1"));
  expect(found.names).toEqual([{ name: "a.example.org", isConfirmed: true }]);
});

it("tells an address without a name from one that DNS does not answer for", async () => {
  const outcome = async (dns: Partial<Dns>) =>
    (await new ReverseDns({ isOn: true, dns: dnsOf(dns), withinMs: 5 }).namesOf(ip)).outcome;
  expect(await outcome({ reverse: () => failure("ENOTFOUND") })).toBe("answered");
  expect(await outcome({ reverse: () => failure("ESERVFAIL") })).toBe("unanswered");
  expect(await outcome({ reverse: () => failure("ECONNREFUSED") })).toBe("unanswered");
  expect(await outcome({ reverse: never })).toBe("unanswered");
});

it("is partly answered while a name is not confirmed in time, and false for a name that does not exist", async () => {
  const reverse = async () => ["a.example.org"];
  const late = new ReverseDns({ isOn: true, dns: dnsOf({ reverse, resolve4: never }), withinMs: 5 });
  expect(await late.namesOf(ip)).toMatchObject({ isPartly: true, names: [{ isConfirmed: false }] });
  const none = new ReverseDns({ isOn: true, dns: dnsOf({ reverse }) });
  expect(await none.namesOf(ip)).toMatchObject({ isPartly: false, names: [{ isConfirmed: false }] });
});

it("asks once an hour for an address, once for callers at the same time, and sooner after a failure", async () => {
  let now = 0;
  const dns = dnsOf({ reverse: async () => [] });
  const reverse = new ReverseDns({ isOn: true, dns, now: () => now });
  await Promise.all([reverse.namesOf(ip), reverse.namesOf(ip)]);
  now = 3_599_999;
  await reverse.namesOf(ip);
  expect(dns.asked).toHaveLength(1);
  now = 3_600_001;
  await reverse.namesOf(ip);
  expect(dns.asked).toHaveLength(2);

  const failing = dnsOf({ reverse: () => failure("ESERVFAIL") });
  const again = new ReverseDns({ isOn: true, dns: failing, now: () => now });
  await again.namesOf(ip);
  now += 30_001;
  await again.namesOf(ip);
  expect(failing.asked).toHaveLength(2);
});

it("asks nothing while it is off, and nothing about private and other special addresses", async () => {
  const dns = dnsOf({});
  expect(await new ReverseDns({ isOn: false, dns }).namesOf(ip)).toMatchObject({ outcome: "off" });
  const reverse = new ReverseDns({ isOn: true, dns });
  for (const text of ["10.0.0.1", "203.0.113.9", "::1"])
    expect(await reverse.namesOf(ipOf(text))).toMatchObject({ outcome: "special" });
  expect(dns.asked).toEqual([]);
});

it("takes few names of an address that has very many", async () => {
  const names = Array.from({ length: 500 }, (_, i) => `n${i}.example.org`);
  const dns = dnsOf({ reverse: async () => names });
  expect((await new ReverseDns({ isOn: true, dns }).namesOf(ip)).names).toHaveLength(4);
  expect(dns.asked).toHaveLength(5);
});
