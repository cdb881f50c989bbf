import { afterEach, describe, expect, it } from "vitest";
import { createGuard, type Guard } from "../../enforce/guard/guard.ts";
import { format } from "../../ip/block.ts";
import { keys } from "../../redis/keys.ts";
import { eventually } from "../../redis/testing.ts";
import { addFeed } from "./change-feed.ts";
import { requireFeed } from "./definition.ts";
import { contentsOf } from "./feed-contents.ts";
import { readStates } from "./feed-state.ts";
import { refreshFeed } from "./refresh.ts";
import { lines, testFeeds } from "./vitest.feeds.ts";
import type { Answer } from "./vitest.source.ts";

const feeds = testFeeds();
const { lists, context, given } = feeds;
const id = "scanner-list";
let guard: Guard | undefined;

afterEach(async () => {
  await guard?.close();
  guard = undefined;
});

async function contents(): Promise<string[]> {
  const feed = await requireFeed(lists.client, id);
  return [...((await contentsOf(lists.client, id, feed.contents?.digest)) ?? [])].map(format);
}
const state = async () => (await readStates(lists.client)).get(id);

/** A refresh of a feed with ten addresses, whose source answers something else now. */
async function refreshed(answer: Answer | string, withinMs = 5_000) {
  feeds.source.serve("/list", lines(10));
  await addFeed(context(), given("/list"));
  feeds.source.serve("/list", answer);
  const ctx = context();
  const records = (await lists.records()).length;
  const fetching = { ...ctx.fetching, withinMs };
  const outcome = await refreshFeed({ ...ctx, fetching }, await requireFeed(lists.client, id));
  return { outcome, newRecords: (await lists.records()).length - records };
}

const twoGigabytes = 2_147_483_648;
const ten = lines(10).split("\n");

describe("a source with trouble leaves a feed as it is, and the feed says why:", () => {
  it.each<[string, Answer, string, number?]>([
    [
      "a body of 2 GB that says so",
      (_, response) => response.writeHead(200, { "content-length": twoGigabytes }).write("203.0.113.7\n"),
      "more than 64 MB",
    ],
    [
      "a body of 2 GB that does not say so",
      (_, response) => {
        const piece = `# ${"a comment ".repeat(100)}\n`.repeat(200);
        let left = twoGigabytes;
        const write = () => {
          while (left > 0 && !response.destroyed) {
            left -= piece.length;
            if (!response.write(piece)) return;
          }
        };
        response.on("drain", write);
        write();
      },
      "more than 64 MB",
      60_000,
    ],
    [
      "a slow drip",
      (_, response) => {
        const drip = setInterval(() => response.write("203.0.113.7\n"), 20);
        response.on("close", () => clearInterval(drip));
      },
      "did not send everything in time",
      300,
    ],
    [
      "a redirect to this machine",
      (_, response) => response.writeHead(302, { location: "https://127.0.0.1/metrics" }).end(),
      "127.0.0.1 (loopback)",
    ],
    ["an error page", (_, response) => response.writeHead(503).end("203.0.113.7"), "HTTP 503"],
  ])(
    "%s",
    async (_, answer, cause, withinMs) => {
      const { outcome, newRecords } = await refreshed(answer, withinMs);
      expect(outcome).toMatchObject({ is: "failed", cause: expect.stringContaining(cause) });
      expect((await state())?.failing).toMatchObject({ tries: 1, cause: expect.stringContaining(cause) });
      expect(await contents()).toEqual(ten);
      expect(newRecords).toBe(0);
    },
    60_000,
  );

  it("a 304 changes nothing, and says that the feed was read", async () => {
    const before = Date.now();
    const { outcome, newRecords } = await refreshed((_, response) => response.writeHead(304).end());
    expect([outcome, newRecords]).toEqual([{ is: "unchanged" }, 0]);
    expect((await state())?.okAt).toBeGreaterThan(before - 60_000);
    expect(await contents()).toEqual(ten);
  });

  it("0 lines wait for a person", async () => {
    const { outcome, newRecords } = await refreshed("");
    expect([outcome, newRecords]).toMatchObject([{ is: "held", contents: { ranges: 0, removed: 10 } }, 0]);
    expect(await contents()).toEqual(ten);
  });
});

describe("a feed that would lock people out", () => {
  it("has neither 0.0.0.0/0 nor the address of its admin, and the rest is in force", async () => {
    const { outcome, newRecords } = await refreshed(
      `${lines(10)}\n0.0.0.0/0\n::/0\n198.51.100.24\n203.0.113.99`,
    );
    expect([outcome, newRecords]).toMatchObject([{ is: "changed" }, 1]);
    expect((await contents()).toSorted()).toEqual([...ten, "203.0.113.99"].toSorted());
    expect((await state())?.left).toMatchObject({ tooWide: 2 });
  });

  it("does not deny a partner of a protected range, whatever it has", async () => {
    await lists.client.hset(keys.neverBlock(), "198.18.7.0/24", JSON.stringify({ reason: "a partner" }));
    await refreshed(`${lines(10)}\n198.18.7.9\n198.18.8.9`);
    guard = createGuard({
      redis: `redis://127.0.0.1:${lists.client.options.port}`,
      app: "shop",
      log: () => {},
    });
    await guard.ready();
    const { check } = guard;
    await eventually(async () => expect((await check({ ip: "198.18.8.9" })).outcome).toBe("blocked"));
    expect((await check({ ip: "198.18.7.9" })).outcome).toBe("pass");
  });
});

describe("every format is read from a server:", () => {
  const v4 = ["198.51.101.7", "203.0.113.0/24"];
  it.each<[string, string, string[], string?]>([
    ["plain lines", "203.0.113.0/24\n198.51.101.7\n", v4],
    ["comments", "# list\n; of\n203.0.113.0/24 ; SBL1\n198.51.101.7 # seen\n", v4],
    ["tab-separated counts", "198.51.101.7\t14\n203.0.113.0/24\t3\n", v4],
    [
      "CSV with a column",
      "first_seen,dst_ip,port\n2026-01-02,198.51.101.7,443\n2026-01-02,203.0.113.0/24,80\n",
      v4,
      "dst_ip",
    ],
    [
      "Spamhaus DROP as text",
      "; Spamhaus DROP List\n203.0.113.0/24 ; SBL256894\n198.51.101.7/32 ; SBL1\n",
      v4,
    ],
    [
      "Spamhaus DROP as JSON lines",
      '{"cidr":"203.0.113.0/24","sblid":"SBL1","rir":"arin"}\n{"cidr":"198.51.101.7/32","sblid":"SBL2"}\n{"type":"metadata","records":2}\n',
      v4,
    ],
    ["ipset", "create list hash:net family inet\nadd list 203.0.113.0/24\nadd list 198.51.101.7\n", v4],
    ["netset", "#\n# firehol_level1\n#\n203.0.113.0/24\n198.51.101.7\n", v4],
    [
      "AWS",
      '{"syncToken":"1","prefixes":[{"ip_prefix":"203.0.113.0/24","region":"eu-west-1","service":"EC2"},{"ip_prefix":"198.51.101.7/32","service":"S3"}],"ipv6_prefixes":[{"ipv6_prefix":"2001:db8::/48"}]}',
      [...v4, "2001:db8::/48"],
    ],
    [
      "Google",
      '{"syncToken":"1","prefixes":[{"ipv4Prefix":"203.0.113.0/24"},{"ipv4Prefix":"198.51.101.7/32"},{"ipv6Prefix":"2001:db8::/48"}]}',
      [...v4, "2001:db8::/48"],
    ],
    [
      "Cloudflare",
      '{"result":{"ipv4_cidrs":["203.0.113.0/24","198.51.101.7/32"],"ipv6_cidrs":["2001:db8::/48"],"etag":"x"},"success":true}',
      [...v4, "2001:db8::/48"],
    ],
  ])("%s", async (_, text, expected, column) => {
    feeds.source.serve("/list", text);
    const { refreshed } = await addFeed(context(), given("/list", { column }));
    expect(refreshed).toMatchObject({ is: "changed" });
    expect((await contents()).toSorted()).toEqual(expected.toSorted());
  });
});
