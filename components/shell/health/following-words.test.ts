import { expect, it } from "vitest";
import { sayFollowing, sayPolling, sayWay } from "./following-words.ts";

const tracking = { following: "tracking", othersWithinMs: 250 } as const;
const notified = { following: "notifications", othersWithinMs: 250 } as const;
const polling = { following: "polling", othersWithinMs: 30_000 } as const;
const slow = { following: "polling", othersWithinMs: 300_000 } as const;

it("names how a node learns of changes", () => {
  expect(sayFollowing(tracking)).toBe("client tracking");
  expect(sayFollowing({ following: "notifications", othersWithinMs: 250 })).toBe(
    "polling with notifications",
  );
  expect(sayFollowing(polling)).toBe("polling, others 30 s");
  expect(sayFollowing({ following: null, othersWithinMs: null })).toBe("unknown");
});

it("states the effect of polling, by the slowest node", () => {
  expect(sayPolling([tracking])).toBeUndefined();
  expect(sayPolling([tracking, polling])).toContain("not available. 1 node polls");
  expect(sayPolling([slow, polling])).toMatch(/2 nodes poll .* within 5 min\.$/);
  expect(sayPolling([tracking, notified])).toMatch(
    /1 node polls for changes, with notifications\. .* within 0\.25 s\.$/,
  );
  expect(sayPolling([notified, polling])).toMatch(/2 nodes poll for changes\. .* within 30 s\.$/);
});

it("names the slowest way", () => {
  expect(sayWay([tracking])).toBeUndefined();
  expect(sayWay([tracking, notified])).toBe("polling with notifications");
  expect(sayWay([tracking, notified, polling])).toBe("polling");
});
