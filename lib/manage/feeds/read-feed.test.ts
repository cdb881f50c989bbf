import { describe, expect, it } from "vitest";
import { format } from "../../ip/block.ts";
import { type FeedTerms, readFeed } from "./read-feed.ts";

const terms: FeedTerms = { isWideConfirmed: false };

async function read(text: string, given: Partial<FeedTerms> = {}, pieceLength = text.length || 1) {
  const pieces = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, i) =>
    text.slice(i * pieceLength, (i + 1) * pieceLength),
  );
  const { ranges, ...rest } = await readFeed(pieces, { ...terms, ...given });
  return { ...rest, ranges: [...ranges].map(format) };
}

const published: Readonly<Record<string, { text: string; ranges: string[]; given?: Partial<FeedTerms> }>> = {
  "plain lines with comments": {
    text: "\ufeff# a list\n; of addresses\n// too\n\n203.0.113.7\r\n198.51.100.0/24 # a note\n2001:db8::1\n",
    ranges: ["198.51.100.0/24", "203.0.113.7", "2001:db8::1"],
  },
  "tab-separated counts": {
    text: "# IPsum\n203.0.113.7\t9\n203.0.113.9\t3\n",
    ranges: ["203.0.113.7", "203.0.113.9"],
  },
  "Spamhaus DROP as text": {
    text: "; Spamhaus DROP List 2026/11/18\n198.51.100.0/24 ; SBL256894\n203.0.113.0/24 ; SBL1\n",
    ranges: ["198.51.100.0/24", "203.0.113.0/24"],
  },
  "Spamhaus DROP as JSON lines": {
    text: '{"cidr":"198.51.100.0/24","sblid":"SBL1","rir":"apnic"}\n{"cidr":"2001:db8::/48","sblid":"SBL2"}\n{"type":"metadata","timestamp":1763,"size":2}\n',
    ranges: ["198.51.100.0/24", "2001:db8::/48"],
  },
  "ipset save": {
    text: "create firehol hash:net family inet hashsize 16384 maxelem 131072\nadd firehol 198.51.100.0/24\nadd firehol 203.0.113.7 timeout 300\n",
    ranges: ["198.51.100.0/24", "203.0.113.7"],
  },
  "netset of firehol": {
    text: "#\n# firehol_level1\n#\n# Maintainer: http://192.0.2.9/\n198.51.100.0/24\n203.0.113.7\n",
    ranges: ["198.51.100.0/24", "203.0.113.7"],
  },
  "ranges of AWS": {
    text: '{\n  "syncToken": "1",\n  "prefixes": [\n    {\n      "ip_prefix": "198.51.100.0/24",\n      "region": "eu-west-1"\n    }\n  ],\n  "ipv6_prefixes": [ { "ipv6_prefix": "2001:db8:4000::/48" } ]\n}',
    ranges: ["198.51.100.0/24", "2001:db8:4000::/48"],
  },
  "ranges of Google": {
    text: '{"syncToken":"1","creationTime":"2026-11-18T08:00:00","prefixes":[{"ipv6Prefix":"2001:db8:4860::/48"},{"ipv4Prefix":"198.51.100.0\\/24"}]}',
    ranges: ["198.51.100.0/24", "2001:db8:4860::/48"],
  },
  "ranges of Cloudflare": {
    text: '{"result":{"ipv4_cidrs":["198.51.100.0/24"],"ipv6_cidrs":["2001:db8:2400::/48"],"etag":"1"},"success":true}',
    ranges: ["198.51.100.0/24", "2001:db8:2400::/48"],
  },
  "CSV with one address a line": {
    text: 'first_seen,dst_ip,dst_port,malware\n"2026-11-17 07:44:46","203.0.113.7","443","x"\n2026-11-17,203.0.113.9,80,y\n',
    ranges: ["203.0.113.7", "203.0.113.9"],
  },
  "CSV with a column by its name": {
    text: "src,dst\n192.0.2.1,203.0.113.7\n192.0.2.2,203.0.113.9\n",
    ranges: ["203.0.113.7", "203.0.113.9"],
    given: { column: "dst" },
  },
  "CSV with a column by its number": {
    text: 'a;"1;2";203.0.113.7\nb;2;203.0.113.9\n',
    ranges: ["203.0.113.7", "203.0.113.9"],
    given: { column: 3 },
  },
};

describe("feeds as they are published", () => {
  for (const [name, { text, ranges, given }] of Object.entries(published))
    it(`${name}, in pieces of any size`, async () => {
      for (const length of [text.length, 1, 7]) {
        const found = await read(text, given, length);
        expect(found.ranges).toEqual(ranges);
        expect([found.unreadCount, found.wideCount, found.tooWideCount]).toEqual([0, 0, 0]);
      }
    });

  it("leave wide ranges out until a person has confirmed them, and the widest always", async () => {
    const text = "0.0.0.0/0\n::/0\n10.0.0.0/7\n198.51.0.0/16\n2001:db8::/32\n203.0.113.7\n";
    const careful = await read(text);
    expect(careful.ranges).toEqual(["203.0.113.7"]);
    expect(careful.wide.map(({ line, block }) => [line, format(block)])).toEqual([
      [4, "198.51.0.0/16"],
      [5, "2001:db8::/32"],
    ]);
    expect(careful.tooWide.map(({ line }) => line)).toEqual([1, 2, 3]);
    const confirmed = await read(text, { isWideConfirmed: true });
    expect(confirmed.ranges).toEqual(["198.51.0.0/16", "203.0.113.7", "2001:db8::/32"]);
    expect(confirmed.tooWideCount).toBe(3);
  });

  it("say which lines are not read, and why", async () => {
    const { unread, unreadCount, ranges } = await read(
      `203.0.113.7\n300.1.2.3\nhello\n198.51.100.9/24\n${"x".repeat(3_000)}\n203.0.113.8\n`,
      {},
      500,
    );
    expect(ranges).toEqual(["203.0.113.7", "203.0.113.8"]);
    expect(unread.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect(unreadCount).toBe(4);
    expect(unread[3]?.reason).toContain("2,000 characters");
  });

  it("are refused where they have half of all IPv4 addresses, as nodes refuse them", async () => {
    const networks = (count: number) => Array.from({ length: count }, (_, i) => `${i}.0.0.0/8`).join("\n");
    expect((await read(networks(127), { isWideConfirmed: true })).count).toBe(127);
    await expect(read(networks(128), { isWideConfirmed: true })).rejects.toThrow("half of all IPv4");
    expect((await read(networks(128))).wideCount).toBe(128);
  });

  it("say of JSON which ranges are not read: those that begin inside of themselves", async () => {
    const text =
      '{"version": "1.2.3", "at": "12:30",\n"ranges": ["198.51.100.9/24",\n"203.0.113.7", "2001:db8::1/32"]}';
    const { unread, unreadCount, ranges } = await read(text);
    expect(ranges).toEqual(["203.0.113.7"]);
    expect([unreadCount, unread.map(({ line }) => line)]).toEqual([2, [2, 3]]);
    expect(unread[0]?.reason).toContain("the range is 198.51.100.0/24");
  });

  it("are empty without an address", async () => {
    expect(await read("")).toMatchObject({ ranges: [], count: 0 });
    expect(await read("# nothing\n\n")).toMatchObject({ ranges: [], count: 0, unreadCount: 0 });
  });

  it("are refused where JSON ends early, or a column is missing", async () => {
    await expect(read('{"prefixes":[{"ip_prefix":"198.51.100.0/24"}')).rejects.toThrow("not read whole");
    await expect(read("a,b\n1,2\n", { column: "ip" })).rejects.toThrow("no column ip");
  });

  it("keep a bounded number of lines that are not read", async () => {
    const { unread, unreadCount } = await read("hello\n".repeat(10_000));
    expect([unread.length, unreadCount]).toEqual([50, 10_000]);
  });
});
