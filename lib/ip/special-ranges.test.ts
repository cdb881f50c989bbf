import { expect, it } from "vitest";
import { scan } from "./block.ts";
import { specialRange } from "./special-ranges.ts";

const of = (text: string) => {
  const block = scan(text);
  if (!block) throw new Error(text);
  return specialRange(block);
};

it.each([
  ["10.1.2.3", "private range"],
  ["172.31.255.255", "private range"],
  ["172.32.0.0", undefined],
  ["192.168.0.0/16", "private range"],
  ["100.64.0.0", "carrier NAT"],
  ["100.127.255.255", "carrier NAT"],
  ["100.128.0.0", undefined],
  ["127.0.0.1", "loopback"],
  ["169.254.169.254", "link-local"],
  ["192.0.2.1", "documentation range"],
  ["198.51.100.255", "documentation range"],
  ["203.0.113.77", "documentation range"],
  ["198.19.255.255", "benchmark range"],
  ["224.0.0.1", "multicast"],
  ["240.0.0.1", "reserved range"],
  ["255.255.255.255", "broadcast"],
  ["8.8.8.8", undefined],
  ["192.0.0.0/8", undefined],
  ["::1", "loopback"],
  ["fd00::1", "private range"],
  ["fe80::1", "link-local"],
  ["fec0::1", "site-local"],
  ["::7f00:1", "IPv4-compatible address"],
  ["::ffff:0:7f00:1", "translated IPv4 address"],
  ["2001:db8::1", "documentation range"],
  ["3fff:fff::1", "documentation range"],
  ["64:ff9b::808:808", "NAT64"],
  ["2002:808:808::1", "6to4"],
  ["2001:0:1::1", "Teredo"],
  ["2001:200::1", undefined],
  ["::ffff:10.0.0.1", "private range"],
  ["2606:4700::1111", undefined],
])("says what %s is", (text, is) => {
  expect(of(text)).toBe(is);
});
