import { z } from "zod";
import { type ExplainedStep, type Explanation, explain } from "../../enforce/guard/explain.ts";
import { readRules } from "../../enforce/guard/explain-rules.ts";
import type { FeedLists } from "../../enforce/lists/feeds.ts";
import { findCovering } from "../../enforce/lists/lookup.ts";
import { formatIp, isWhole } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip } from "../../ip/parse.ts";
import { sessionOf } from "../../manage/customers/session-limits.ts";
import { type OwnedAddress, readAddresses } from "../../observe/customers/owners.ts";
import type { CustomerAddress, CustomerAddresses } from "../../queries/owners.ts";
import { type CustomerId, clientOfId, type ListName } from "../../redis/keys.ts";
import { loadedCatalogue } from "../catalogue.ts";
import { type Console, theConsole } from "../console.ts";
import { theFeedLists } from "../feeds/feed-lists.ts";
import { read } from "../read.ts";
import { shared, theStatistics } from "../statistics.ts";
import { customerIn } from "./customer-reads.ts";

const freshMs = 900;
/** Addresses whose verdict is read. */
const mostExplained = 16;

export const getCustomerAddresses = read<z.ZodObject, { id: string }>("read", z.object({}), ({ params }) => {
  const id = customerIn(params);
  return shared(`customer addresses ${id}`, freshMs, () =>
    readCustomerAddresses(
      { ...theConsole(), scales: theStatistics().scales, entriesInside, readFeeds: theFeedLists },
      id,
    ),
  );
});

type CountInside = (list: ListName, range: Ip | Cidr) => number;

interface AddressesSource
  extends Pick<Console, "redis" | "protectedRanges">,
    Pick<ReturnType<typeof theStatistics>, "scales"> {
  /** Called where the customer has IPv6 networks. */
  readonly entriesInside: () => Promise<CountInside>;
  readonly readFeeds: () => Promise<FeedLists>;
}

async function entriesInside(): Promise<CountInside> {
  const { inside } = await (await loadedCatalogue()).around();
  return inside;
}

/** The latest addresses of a customer, and whether its next request from each would pass. */
export async function readCustomerAddresses(
  source: AddressesSource,
  id: CustomerId,
): Promise<CustomerAddresses> {
  const { asOf, knownSince, addresses } = await readAddresses(source.redis, id);
  const latest = addresses.slice(0, mostExplained);
  const hasNetworks = latest.some(({ address }) => !isWhole(blockOf(address)));
  const inside = hasNetworks ? await source.entriesInside() : () => 0;
  return {
    ...{ asOf, knownSince: knownSince ?? null, total: addresses.length },
    addresses: await Promise.all(
      latest.map(async (one) => ({
        ...(await explained(source, id, one)),
        blockedInside: inside("blocklist", one.address),
      })),
    ),
  };
}

async function explained(
  { redis, protectedRanges, scales, readFeeds }: AddressesSource,
  id: CustomerId,
  { address, requests, lastAt }: OwnedAddress,
): Promise<Omit<CustomerAddress, "blockedInside">> {
  const asked = { ip: formatIp(blockOf(address)), path: "/", method: "GET", customerId: id };
  const request = { ...asked, ...(await sessionOf(redis, id)) };
  const explanation = await explain(
    {
      readEntries: (client) => findCovering(redis, client, protectedRanges),
      readFeeds,
      readRules: (client, facts) => readRules({ redis, scales, app: "", facts }, request, client),
    },
    request,
  );
  const { steps, by } = explanation;
  const entries = steps.flatMap(({ entries }) => entries);
  const entry =
    by?.kind === "entry" && by.list === "blocklist"
      ? entries.find((one) => one.list === by.list && one.address === by.address)
      : undefined;
  return {
    ...{ address, requests, lastAt, outcome: explanation.outcome },
    entry:
      entry === undefined
        ? null
        : {
            ...{ address: entry.address, reason: entry.note.reason, expiresAt: entry.expiresAt },
            ...{ by: entry.note.by ?? null, at: entry.note.at ?? null },
          },
    rule: foreignRule(explanation, id),
  };
}

/** The level that denies the request by its address, not by the customer's own limits. */
function foreignRule({ outcome, steps }: Explanation, id: CustomerId): CustomerAddress["rule"] {
  if (outcome !== "throttled") return null;
  const level = steps.flatMap(levelsOf).find(({ isDeciding }) => isDeciding);
  const isOwn = level === undefined || level.counts === id || level.counts === clientOfId(id);
  return isOwn ? null : { name: level.name, resetSeconds: level.resetSeconds };
}

const levelsOf = ({ rules = [] }: ExplainedStep) => rules;
