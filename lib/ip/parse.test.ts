import { isIP } from "node:net";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { blockOf, type Ip, isCanonical, parseAddress, parseIp, parseRanges, readBlock } from "./parse.ts";
import { bounds, v6Spelling } from "./vitest.blocks.ts";

describe("what is accepted", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["  1.2.3.4\t\n", "1.2.3.4"],
    ["1.2.3.4/32", "1.2.3.4"],
    ["1.2.3.0/24", "1.2.3.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::/0", "::/0"],
    ["::1/128", "::1"],
    ["2001:DB8::/32", "2001:db8::/32"],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::FFFF:102:304", "1.2.3.4"],
    ["0:0:0:0:0:ffff:1.2.3.4", "1.2.3.4"],
    ["0000:0000:0000:0000:0000:ffff:0102:0304", "1.2.3.4"],
    ["::ffff:1.2.3.4/128", "1.2.3.4"],
    ["::ffff:1.2.3.0/120", "1.2.3.0/24"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::fffe:0:0/95", "::fffe:0:0/95"],
    ["::ffff:0:102:304", "::ffff:0:102:304"],
    ["1::ffff:102:304", "1::ffff:102:304"],
  ])("%j is %s", (text, canonical) => {
    expect(parseAddress(text)).toEqual({ ok: true, value: canonical });
  });

  it("accepts a range of one address as that address, and no wider range, where one address is expected", () => {
    expect(parseIp(" ::ffff:1.2.3.4/128 ")).toEqual({ ok: true, value: "1.2.3.4" });
    expect(parseIp("1.2.3.0/24")).toEqual({
      ok: false,
      reason: "1.2.3.0/24 is a range: write a single address",
    });
  });
});

describe("what is refused, and why", () => {
  it.each([
    ["", "An address or a range is missing"],
    [" \n", "An address or a range is missing"],
    ["1.2.3.256", "1.2.3.256 is not an IPv4 address: each part is at most 255"],
    ["1.2.3.4444", "each part is at most 255"],
    ["01.2.3.4", "01.2.3.4 is not an IPv4 address: a part with a leading zero could be meant as octal"],
    ["1.2.3.00", "octal"],
    ["0x7f.0.0.1", "hexadecimal"],
    ["0x7f000001", "hexadecimal"],
    ["2130706433", "four parts"],
    ["127.1", "four parts"],
    ["1.2.3.4.5", "four parts"],
    ["1.2..4", "a part is empty"],
    ["1.2.3.", "a part is empty"],
    ["1.2.3.-4", "only digits and dots"],
    ["1.2.3.4-1.2.3.9", "only digits and dots"],
    ["١.٢.٣.٤", "is not an address or a range: an IPv4 address has only digits and dots"],
    ["localhost", "localhost is not an address or a range"],
    ["https://192.0.2.1/", "write the address alone instead of a URL"],
    ["1.2.3.4 5.6.7.8", "write one address at a time"],
    ["1.2.3.4,5.6.7.8", "write one address at a time"],
    ["1.2.3 .4", "write one address at a time"],
    ["[fe80::1", "brackets"],
    ["1.2.3.0/", "the prefix length after the slash is missing"],
    ["1.2.3.0/33", "1.2.3.0/33 is not a range: the prefix length is at most 32"],
    ["1.2.3.0/1000", "the prefix length is at most 32"],
    ["::/129", "the prefix length is at most 128"],
    ["1.2.3.0/024", "a prefix length has no leading zeros"],
    ["1.2.3.0/+24", "not a whole number"],
    ["1.2.3.0/-1", "not a whole number"],
    ["1.2.3.0/2a", "not a whole number"],
    ["1.2.3.0/255.255.255.0", "instead of a netmask"],
    ["1.2.3.0/24/8", "more than one slash"],
    ["/24", "is not an address or a range: the address is missing"],
    ["1.2.3.999/24", "each part is at most 255"],
    [":", "single colon"],
    [":::", 'more than one "::"'],
    ["1::2::3", 'more than one "::"'],
    [":1:2:3:4:5:6:7", "single colon"],
    ["1:2:3:4:5:6:7:", "single colon"],
    ["1:2:3:4:5:6:7", "eight groups"],
    ["1:2:3:4:5:6:7:8:9", "eight groups"],
    ["1:2:3:4::5:6:7:8", "eight groups"],
    ["12345::", "at most four digits"],
    ["2001:db8::g", "hexadecimal digits and colons"],
    ["::ffff:1.2.3.256", "::ffff:1.2.3.256 is not an IPv6 address: each part is at most 255"],
    ["::ffff:01.2.3.4", "octal"],
    ["1:2:3:4:5:6:7:1.2.3.4", "eight groups"],
    ["1.2.3.4::", "is not an IPv6 address"],
    ["::ffff:1.2.3.4/129", "at most 128"],
  ])("%j: %s", (text, reason) => {
    const parsed = parseAddress(text);
    expect(parsed).toEqual({ ok: false, reason: expect.stringContaining(reason) });
    expect(readBlock(text)).toBeUndefined();
  });

  it.each([
    ["10.1.2.3/8", "10.0.0.0/8", "10.1.2.3/8 begins inside its range: the range is 10.0.0.0/8"],
    ["2001:db8::1/64", "2001:db8::/64", "begins inside its range"],
    ["::ffff:1.2.3.4/120", "1.2.3.0/24", "begins inside its range"],
    ["::ffff:1.2.3.4/90", "::ffc0:0:0/90", "begins inside its range"],
    ["fe80::1%eth0", "fe80::1", "network interface"],
    ["fe80::1%", "fe80::1", "network interface"],
    ["[2001:DB8::1]:443", "2001:db8::1", "brackets and the port"],
    ["[::1]", "::1", "brackets"],
    ["1.2.3.4:80", "1.2.3.4", "leave out the port"],
  ])("%s is refused with the suggestion %s", (text, suggestion, reason) => {
    expect(parseAddress(text)).toEqual({ ok: false, reason: expect.stringContaining(reason), suggestion });
    expect(readBlock(text)).toBeUndefined();
  });

  it("quotes no long and no unprintable text", () => {
    expect(parseAddress("9".repeat(65))).toEqual({
      ok: false,
      reason: "This is too long to be an address or a range",
    });
    expect(parseAddress("x".repeat(64))).toMatchObject({ reason: expect.stringMatching(/^x{50}… is not/) });
    expect(parseAddress("1.2\u0000\u001b[31m\u202e.3")).toMatchObject({
      reason: expect.stringMatching(/^1\.2\ufffd\ufffd\[31m\ufffd\.3 is not/),
    });
  });

  it("accepts no white space on the hot path", () => {
    expect(readBlock(" 1.2.3.4")).toBeUndefined();
    expect(readBlock("1.2.3.4\n")).toBeUndefined();
  });
});

describe("against other parsers", () => {
  it("reads every spelling of an IPv6 address as ipaddr.js does", () => {
    fc.assert(
      fc.property(v6Spelling, ({ groups, text }) => {
        // ipaddr.js takes the deprecated "::1.2.3.4" for "::ffff:1.2.3.4", which is another address.
        const isMistaken = /^::\d+\./.test(text);
        if (!isMistaken) expect(ipaddr.IPv6.parse(text).parts).toEqual(groups);
        const block = readBlock(text);
        const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
        const isMapped = value >> 32n === 0xffffn;
        expect(block?.family).toBe(isMapped ? 4 : 6);
        expect(block && bounds(block).first).toBe(isMapped ? value & 0xffff_ffffn : value);
      }),
      { numRuns: 10_000 },
    );
  });

  it("accepts the same addresses as Node, near misses included", () => {
    const piece = fc.constantFrom(
      ..."0123456789abcdefF.:::",
      "::",
      "255",
      "256",
      "0",
      "1.2.3.4",
      ":0:",
      "ffff",
    );
    const nearly = fc.array(piece, { minLength: 1, maxLength: 16 }).map((pieces) => pieces.join(""));
    const damaged = fc.tuple(v6Spelling, fc.nat(45), fc.nat(2), piece).map(([{ text }, at, cut, put]) => {
      return text.slice(0, at) + put + text.slice(at + cut);
    });
    const parts = fc.array(fc.nat(300), { minLength: 3, maxLength: 5 }).map((numbers) => numbers.join("."));
    fc.assert(
      fc.property(fc.oneof(nearly, damaged, parts), (text) => {
        expect(readBlock(text) !== undefined, text).toBe(isIP(text) !== 0);
      }),
      { numRuns: 30_000 },
    );
  });
});

describe("canonical text", () => {
  it("differs from other spellings", () => {
    expect(["1.2.3.4", "::1", "10.0.0.0/8", "2001:db8::/32"].every(isCanonical)).toBe(true);
    expect(
      ["1.2.3.4/32", "::ffff:1.2.3.4", "2001:DB8::", "0::1", "10.0.0.1/8", " ::1", ""].some(isCanonical),
    ).toBe(false);
  });

  it("is the result of every accepted spelling, and of itself", () => {
    fc.assert(
      fc.property(v6Spelling, ({ text }) => {
        const parsed = parseAddress(text);
        const again = parsed.ok ? parseAddress(parsed.value) : parsed;
        expect(again).toEqual(parsed);
        expect(parsed.ok && isCanonical(parsed.value)).toBe(true);
      }),
    );
  });

  it("turns into numbers, and a forged value throws", () => {
    const parsed = parseIp("1.2.3.4");
    expect(parsed.ok && blockOf(parsed.value)).toEqual({
      family: 4,
      a: 0x0102_0304,
      b: 0,
      c: 0,
      d: 0,
      length: 32,
    });
    expect(() => blockOf("1.2.3" as Ip)).toThrow(TypeError);
  });
});

describe("a setting of ranges", () => {
  it.each([
    [undefined, []],
    ["", []],
    [" , ", []],
    ["203.0.113.9, 2001:DB8::/32\n10.0.0.0/8", ["203.0.113.9", "2001:db8::/32", "10.0.0.0/8"]],
    [
      ["203.0.113.9", "", " 10.0.0.0/8 "],
      ["203.0.113.9", "10.0.0.0/8"],
    ],
  ])("reads %j", (setting, value) => {
    expect(parseRanges(setting)).toEqual({ ok: true, value });
  });

  it("names the part that is not a range", () => {
    expect(parseRanges("203.0.113.9, 203.0.113.300")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("203.0.113.300"),
    });
  });
});
