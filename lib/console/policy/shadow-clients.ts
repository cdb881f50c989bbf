import { z } from "zod";
import type { Client } from "../../enforce/policy/client.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { readRuleCounts } from "../../observe/stats/series.ts";
import { readShadowClients } from "../../observe/stats/shadow-clients.ts";
import type { ShadowReply } from "../../queries/shadow.ts";
import { idOfClient } from "../../redis/keys.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";

const search = z.object({ rule: z.string().min(1).max(64) });
const freshMs = 2_000;
const minutes = 60;
const mostShown = 100;

export const getShadowClients = read("read", search, ({ search: { rule } }): Promise<ShadowReply> => {
  const { redis } = theConsole();
  return shared(`shadow of ${rule}`, freshMs, async () => {
    const [{ policy }, nowMs] = await Promise.all([readPolicy(redis), redisNowMs()]);
    const [counts, { found, isCut }] = await Promise.all([
      readRuleCounts(theStatistics().series, { policy, minutes, nowMs }),
      readShadowClients(redis, { rule, minutes, nowMs }),
    ]);
    const isForRequests = policy.requestRules?.some(({ name }) => name === rule) ?? false;
    const counted = isForRequests ? "ip" : policy.rules.find(({ name }) => name === rule)?.client;
    return {
      ...{ asOf: nowMs, isCut },
      requests: counts.find((one) => one.rule === rule)?.shadowed ?? 0,
      counted: found.reduce((sum, one) => sum + one.requests, 0),
      clients: new Set(found.map(({ client }) => client)).size,
      customers: [...new Set(found.flatMap(({ customerId }) => customerId ?? []))],
      top: found.slice(0, mostShown).map(({ client, customerId, requests }) => ({
        ...named(client, counted),
        ...(customerId !== undefined && { customerId }),
        requests,
      })),
    };
  });
});

/** A limit for anonymous clients counts a customer without limits by its id. */
function named(
  client: string,
  counted: Client | undefined,
): Pick<ShadowReply["top"][number], "client" | "kind"> {
  if (counted === "customer") return { client, kind: "customer" };
  if (counted !== "ip") return { client, kind: "rule" };
  const id = idOfClient(client);
  return id === undefined ? { client, kind: "ip" } : { client: id, kind: "customer" };
}
