import { expect, it } from "vitest";
import { readLiveView, writeLiveView } from "@/components/console/live-view.ts";
import { type Offender, offender } from "@/lib/queries/offenders.ts";
import { clearsText, clientHref, periodText, sayCount, sayEstimate, trendOf } from "./offender-words.ts";

const one = (some: Partial<Offender> = {}): Offender =>
  offender.parse({
    ...{ kind: "ip", client: "203.0.113.9", app: "shop", requests: 9, denied: 2, rule: "req/ip/2" },
    ...{ algorithm: "fixed", periodSeconds: 1_800, isShadowed: false, used: 611, limit: 600 },
    ...{ resetMs: 108_000, isOver: true, history: [] },
    ...some,
  });

it("writes counts as a reason for a block", () => {
  expect(sayCount(one())).toBe("611 of 600 per 30 min by req/ip/2");
  expect(sayCount(one({ limit: null }))).toBe("611 per 30 min by req/ip/2");
  expect(sayEstimate(one({ algorithm: "earrrl", used: 0.8213, limit: 0.5, rule: "rate/ip" }))).toBe(
    "0.82/s, limit 0.5/s by rate/ip",
  );
  expect([86_400, 7_200, 300, 90].map(periodText)).toEqual(["1 d", "2 h", "5 min", "90 s"]);
});

it("shows when a client is under its limit again, and the trend", () => {
  expect(clearsText(one())).toBe("1 min 48 s");
  expect(clearsText(one({ algorithm: "earrrl", resetMs: 42_000 }))).toBe("~42 s");
  expect(clearsText(one({ algorithm: "earrrl", isOver: false }))).toBe("under");
  expect([[1, 2, 3, 4], [4, 3, 2, 1], [2, 2, 2, 2], [1]].map(trendOf)).toEqual([
    "up",
    "down",
    "level",
    "level",
  ]);
});

it("links to the client or customer", () => {
  expect(clientHref({ kind: "ip", client: "2001:db8:1:2::/64" })).toBe(
    "/clients/2001%3Adb8%3A1%3A2%3A%3A%2F64",
  );
  expect(clientHref({ kind: "customer", client: "1042" })).toBe("/customers/1042");
  expect(clientHref({ kind: "rule", client: "joe" })).toBeUndefined();
});

it("stores the view in the URL", () => {
  const view = { range: "24h", app: "shop & co" } as const;
  expect(readLiveView(new URLSearchParams(writeLiveView(view)))).toEqual(view);
  expect(writeLiveView({ range: "15m", app: undefined })).toBe("");
  expect(readLiveView(new URLSearchParams("range=nonsense&app="))).toEqual({ range: "15m", app: undefined });
});
