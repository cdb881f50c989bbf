import { describe, expect, it } from "vitest";
import { extract } from "./extract.ts";

describe("exactly one address or range", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    [" 203.0.113.0/24 ", "203.0.113.0/24"],
    ["2001:DB8::1", "2001:db8::1"],
    // Ports and brackets.
    ["198.51.100.77:44312", "198.51.100.77"],
    ["[2001:db8:7::9]:443", "2001:db8:7::9"],
    ["[2001:db8:7::9]", "2001:db8:7::9"],
    ["203.0.113.9:8080:user:secret", "203.0.113.9"],
    ["(203.0.113.9)", "203.0.113.9"],
    ["203.0.113.9.", "203.0.113.9"],
    // Defanged.
    ["198[.]51[.]100[.]231", "198.51.100.231"],
    ["198(.)51{.}100[dot]231 ; beacon", "198.51.100.231"],
    ["198.51.100[.]0/24", "198.51.100.0/24"],
    ["2001[:]db8[:][:]1", "2001:db8::1"],
    ["hxxp://198[.]51[.]100[.]231/gate.php", "198.51.100.231"],
    ["hxxps[:]//198[.]51[.]100[.]231:8443", "198.51.100.231"],
    // URLs.
    ["Http://198.51.100.7/24/x?y=1", "198.51.100.7"],
    ["https://user:secret@198.51.100.7:8443/", "198.51.100.7"],
    ["http://[2001:db8::1]:8080/64", "2001:db8::1"],
    ["198.51.100.7/admin", "198.51.100.7"],
    // Log lines.
    [
      '198.51.100.143 - - [18/Nov/2026:09:02:11 +0000] "GET /c?x=1 HTTP/1.1" 200 5 "-" "Scrapy/2.11"',
      "198.51.100.143",
    ],
    [
      '198.51.100.143 - - [18/Nov/2026:09:02:11 +0000] "GET /?next=http://192.0.2.7/ HTTP/1.1" 200 5 "-" "Mozilla/5.0 Chrome/119.0.0.0 Safari/537.36"',
      "198.51.100.143",
    ],
    ['198.51.100.143 - - "GET / HTTP/1.1" 200 5 "http://203.0.113.1/" "Scrapy/2.11"', "198.51.100.143"],
    ['client=198.51.100.201 ua="Scrapy/2.11"', "198.51.100.201"],
    ["ip=198.51.100.202;note=fuzzer", "198.51.100.202"],
    ['{"time":"2026-11-18T09:02:11.123Z","remote_addr":"198.51.100.5","path":"/a"}', "198.51.100.5"],
    [
      "2026/11/18 09:02:11 [error] 31#31: *9 limiting requests, client: 198.51.100.5, server: _",
      "198.51.100.5",
    ],
    ["sshd[811]: Failed password for root from 198.51.100.5 port 50122 ssh2", "198.51.100.5"],
    ["sshd[811]: Failed password for root from 2001:db8::5 port 50122 ssh2", "2001:db8::5"],
    ["queries: client @0x7f 198.51.100.5#53 (example.com)", "198.51.100.5"],
    ["access.log:12:198.51.100.5 - -", "198.51.100.5"],
    ["12:198.51.100.5 - -", "198.51.100.5"],
    ["client:2001:db8::5", "2001:db8::5"],
    ["198.51.100.5 - - xff=198.51.100.5", "198.51.100.5"],
    ["[remote 198.51.100.5:40022] denied", "198.51.100.5"],
    // Notes, counts and comments.
    ["198.51.100.5\t421", "198.51.100.5"],
    ["421 198.51.100.5", "198.51.100.5"],
    ["198.51.100.5;scraper", "198.51.100.5"],
    ["198.51.100.5,scraper", "198.51.100.5"],
    ["198.51.100.0/24 scraper", "198.51.100.0/24"],
    ["198.51.100.5 # was 198.51.100.6", "198.51.100.5"],
    ["198.51.100.5 // as 198.51.100.6", "198.51.100.5"],
    ["198.51.100.5 ; bot", "198.51.100.5"],
  ])("%s", (text, address) => {
    expect(extract(text)).toEqual({ kind: "exact", addresses: [address] });
  });

  it.each([
    ["203.0.113.10-203.0.113.13 scanner", ["203.0.113.10/31", "203.0.113.12/31"]],
    ["203.0.113.0–203.0.113.255", ["203.0.113.0/24"]],
    ["NetRange:       203.0.113.0 - 203.0.113.127", ["203.0.113.0/25"]],
    ["2001:db8::-2001:db8::ffff", ["2001:db8::/112"]],
    ["203.0.113.7-203.0.113.7", ["203.0.113.7"]],
  ])("%s is the fewest ranges", (text, addresses) => {
    expect(extract(text)).toEqual({ kind: "exact", addresses });
  });
});

describe("a guess", () => {
  it.each([
    ["198.51.100.130/28", ["198.51.100.128/28"], "begins inside its range"],
    ["src=198.51.100.130/28 dropped", ["198.51.100.128/28"], "begins inside its range"],
    ["198.51.100.*", ["198.51.100.0/24"], "198.51.100.* is probably 198.51.100.0/24"],
    ["198.51.100.x # all", ["198.51.100.0/24"], "is probably"],
    ["198.51.*.*", ["198.51.0.0/16"], "is probably"],
    ["198.51.*", ["198.51.0.0/16"], "is probably"],
    ["198.51.100.10-13", ["198.51.100.10/31", "198.51.100.12/31"], "198.51.100.13"],
    ["203.0.113.1 203.0.113.2", ["203.0.113.1", "203.0.113.2"], "2 addresses"],
    ["203.0.113.1,203.0.113.2;203.0.113.1", ["203.0.113.1", "203.0.113.2"], "2 addresses"],
    ["203.0.113.1 ; 203.0.113.2", ["203.0.113.1", "203.0.113.2"], "2 addresses"],
    ["client 203.0.113.1 upstream 10.0.0.5:8080", ["203.0.113.1"], "2 addresses"],
    ["10.0.0.4 10.0.0.5", ["10.0.0.4", "10.0.0.5"], "2 addresses"],
    ["203.0.113.1 203.0.113.300", ["203.0.113.1"], "203.0.113.300"],
    ["GET /?ip=203.0.113.1", ["203.0.113.1"], "a path"],
    ['host.example - - "GET / HTTP/1.1" 200 5 "http://203.0.113.1/" "x"', ["203.0.113.1"], "a URL"],
    ["disabled # 203.0.113.1", ["203.0.113.1"], "a comment"],
    ["12:2001:db8::1 GET", ["12:2001:db8::1"], "something else"],
    ["203.0.113.1[0-9]", ["203.0.113.1"], "something else"],
    ["203.0.113.1:443-203.0.113.9", ["203.0.113.1"], "something else"],
    ["203.0.113.0 /24", ["203.0.113.0"], "/24 has no address before it"],
    ["route 203.0.113.0 255.255.255.0", ["203.0.113.0"], "2 addresses"],
    ["!203.0.113.1", ["203.0.113.1"], "something else"],
    ["fe80::1%eth0", ["fe80::1"], "network interface"],
  ])("%s", (text, addresses, reason) => {
    expect(extract(text)).toEqual({ kind: "guess", addresses, reason: expect.stringContaining(reason) });
  });
});

describe("no address", () => {
  it.each([
    ["", "missing"],
    ["Hello team,", "no address"],
    ["ip;note", "no address"],
    ["203.0.113.300", "each part is at most 255"],
    ["blocked 203.0.113.300 twice", "203.0.113.300 is not an IPv4 address: each part is at most 255"],
    ["localhost", "no address"],
    ["127.1", "127.1 is not an IPv4 address: an IPv4 address has four parts"],
    ["Mozilla/5.0 (X11; Linux x86_64) Chrome/119.0.0.0 Safari/537.36", "no address"],
    ["firmware version 5.15.0.91", "no address"],
    ["version=1.2.3.4", "no address"],
    ["4.3.2.1.in-addr.arpa", "no address"],
    ["host-198.51.100.5.isp.example seen", "no address"],
    ["198.51.100.5-static.isp.example", "no address"],
    ["00:1a:2b:3c:4d:5e link up", "no address"],
    ["00:1a:2b:ff:fe:3c:4d:5e link up", "no address"],
    ["std::vector and a::b at 09:02:11", "no address"],
    ["IP 198.51.100.1.44312 > 203.0.113.1.443: Flags [S]", "four parts"],
    ["198.51.100.0/33", "at most 32"],
    ["198.51.100.0/33 net", "at most 32"],
    ["198.51.100.0/255.255.255.0", "netmask"],
    ["(2001:db8::)/32 net", "no address"],
    ["[2001:db8::]/32", "brackets"],
    ["http://198.51.100.5@example.com/", "no address"],
    ["198.*", "wider than /16"],
    ["198.51.0.0-198.52.0.0", "wider than /16"],
    ["203.0.113.9-203.0.113.1", "ends before it begins"],
    ["1.2.3.4\u0661", "no address"],
    ["\uff111.2.3.4 x", "no address"],
  ])("%s", (text, reason) => {
    const kind = reason === "no address" ? "none" : "typo";
    expect(extract(text)).toEqual({ kind, reason: expect.stringMatching(new RegExp(reason)) });
  });
});
