import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Ip, parseIp } from "../../ip/parse.ts";
import type { ListContext } from "../lists/change-entries.ts";
import { testLists } from "../lists/vitest.context.ts";
import type { NewFeed } from "./change-feed.ts";
import { FeedSecrets } from "./feed-secret.ts";
import { parseSource } from "./feed-source.ts";
import type { FeedContext } from "./refresh.ts";
import { type Source, startSource } from "./vitest.source.ts";

/** A Redis and an https server of this test file's own, and feeds between them. */
export function testFeeds() {
  const lists = testLists();
  let source: Source;
  beforeAll(async () => {
    source = await startSource();
  });
  beforeEach(() => {
    source.requests.length = 0;
  });
  afterAll(() => source.stop());
  return {
    lists,
    get source() {
      return source;
    },
    context: (own = "198.51.100.24"): FeedContext & ListContext => ({
      ...lists.ctx({ address: address(own) }),
      secrets: new FeedSecrets("a secret that Redis never sees"),
      fetching: { folder: source.folder, ca: source.ca, privateHosts: ["localhost"], withinMs: 5_000 },
      networkRanges: async () => ({ madeAt: "2026", blocks: [] }),
    }),
    given: (path: string, more: Partial<NewFeed> = {}): NewFeed => ({
      ...{ name: "Scanner list", list: "blocklist", source: parseSource(source.url(path)), mode: "enforce" },
      ...{
        everyMs: 3_600_000,
        keepMs: 604_800_000,
        holdPercent: 50,
        isWideConfirmed: false,
        reason: "a test",
      },
      ...more,
    }),
  };
}

function address(text: string): Ip {
  const parsed = parseIp(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

/** Every other address of a network. */
export const lines = (count: number, network = "203.0.113") =>
  Array.from({ length: count }, (_, i) => `${network}.${2 * i}`).join("\n");
