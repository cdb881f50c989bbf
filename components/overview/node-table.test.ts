import { expect, it } from "vitest";
import type { NodeStatus } from "@/lib/queries/status.ts";
import { inOrder, nameOf } from "./node-table.tsx";

const node = (app: string, id: string, said: Partial<NodeStatus> = {}): NodeStatus => ({
  ...{ id, app, host: "web-1", version: "0.1.0", lastChange: 4, replicaAgeMs: 100 },
  ...{ isInSync: true, isStamped: true },
  ...{ requestsPerSecond: 12.5, deniedPerSecond: 0, counters: "ok" },
  ...{ following: "tracking", othersWithinMs: 250 },
  ...said,
});

it("puts nodes with a problem first", () => {
  const ids = inOrder([
    node("shop", "c"),
    node("docs", "b"),
    node("shop", "a"),
    node("shop", "z", { isInSync: false }),
    node("docs", "y", { isStamped: false }),
    node("shop", "x", { counters: "late" }),
    node("docs", "d", { counters: null }),
  ]).map(({ id }) => id);
  expect(ids).toEqual(["y", "x", "z", "b", "d", "a", "c"]);
});

it("leaves out the app, which has its own column", () => {
  expect(nameOf({ app: "shop", id: "shop@web-1:17-ab12cd" })).toBe("web-1:17-ab12cd");
  expect(nameOf({ app: "shop", id: "other" })).toBe("other");
});
