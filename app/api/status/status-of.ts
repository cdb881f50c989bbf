import { environment } from "../../../lib/env.ts";
import type { Status } from "../../../lib/queries/status.ts";
import { theCatalogue } from "../../_server/catalogue.ts";
import type { Console } from "../../_server/console.ts";
import type { SignedIn } from "../../_server/session.ts";
import { readStatus } from "./read-status.ts";

/** The status of this console's Sluice, as the page's first sight and the polls after it show it. */
export function statusOf(opened: Console, who: SignedIn): Promise<Status> {
  const { redis, redisUrl: url, counters, protectedRanges, seal } = opened;
  const { countersRedisUrl: countersUrl = url, edge } = environment();
  const catalogue = theCatalogue();
  return readStatus({
    patient: { redis, url, countersUrl, protectedRanges, seal },
    counters,
    who,
    held: catalogue.isComplete ? catalogue.sizes : undefined,
    hasEdge: edge !== undefined,
  });
}
