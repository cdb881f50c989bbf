import type { ClientReply } from "@/lib/queries/client.ts";

/** Ms: the moment of the fixture. */
export const now = 1_800_000_000_000;

/** A client that passes, of which nothing was recorded. */
export const passing: ClientReply = {
  ...{ asOf: now, client: "203.0.113.9", asked: { app: "", method: "GET", path: "/" } },
  ...{ outcome: "pass", status: 200, isCertain: true, says: "", steps: [], estimates: [] },
  ...{ day: { minutes: [], unknownMinutes: 0, firstAt: null, lastAt: null }, samples: null },
  ...{ outcomes: [], denyingRules: [], apps: [], requests: [], userAgents: [], customers: [] },
  ...{ neighbours: [], earlierNeighbours: [], fingerprints: { standard: [], broad: [] } },
};
