import { z } from "zod";
import { isCanonical } from "../../ip/parse.ts";
import { readOwners } from "../../observe/customers/owners.ts";
import { type ClientRates, effectOf, gapOf } from "../../observe/stats/rates.ts";
import { readScopeRates } from "../../observe/stats/scope-rates.ts";
import { type CountedKind, countedKinds, type RatesReply, rateSpans } from "../../queries/rates.ts";
import { idOfClient } from "../../redis/keys.ts";
import { loopTurn } from "../../redis/loop-turn.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";

const search = z.object({
  scope: z.string().regex(/^[0-9a-f]{16}$/),
  kind: z.enum(countedKinds),
  periodSeconds: z.coerce.number().int().min(1).max(86_400),
  span: z.enum(rateSpans),
  limit: z.coerce.number().int().min(0),
});
const freshMs = 5_000;
const mostShown = 200;
const spanMinutes = { "1h": 60, "24h": 1_440 } as const;

export const getRates = read("read", search, ({ search }) => judgeRates(search));

/** What limits would have denied of the history of a scope. */
export async function judgeRates(asked: z.output<typeof search>): Promise<RatesReply> {
  const { scope, kind, periodSeconds, span, limit } = asked;
  const { asOf, rates, owned } = await shared(
    `rates ${scope} ${kind} ${periodSeconds} ${span}`,
    freshMs,
    async () => {
      const nowMs = await redisNowMs();
      const query = { scope, periodSeconds, spanMinutes: spanMinutes[span], nowMs };
      const rates = await readScopeRates(theStatistics().scopes, query);
      return { asOf: nowMs, rates, owned: kind === "ip" ? await ownersOf(rates.found) : undefined };
    },
  );
  const { found, ...history } = rates;
  const whose = (client: string) => customersIn(client, kind, owned?.customers);
  const judged: RatesReply["judged"] = [];
  for (const one of [limit, ...nearbyLimits(limit)]) {
    await loopTurn();
    judged.push(tell(found, one, whose));
  }
  const gap = gapOf(found);
  return {
    ...{ asOf, ...history, known: found.length, judged },
    ...customersKnown(kind, owned, asOf - history.minutes * 60_000, judged),
    top: found.slice(0, mostShown).map(({ client, peak }) => ({ client, peak, customers: whose(client) })),
    ...(gap && { gap }),
  };
}

/** A rule for anonymous clients counts no request of a customer at its address. */
function customersIn(
  client: string,
  kind: CountedKind,
  seen: ReadonlyMap<string, ReadonlySet<string>> | undefined,
): string[] {
  if (kind === "customer") return [client];
  const id = kind === "other" ? undefined : idOfClient(client);
  return id === undefined ? [...(seen?.get(client) ?? [])] : [id];
}

function tell(
  found: readonly ClientRates[],
  limit: number,
  whose: (client: string) => string[],
): RatesReply["judged"][number] {
  const { clients, requests, share, closest } = effectOf(found, limit);
  const hit = new Set(found.slice(0, clients).flatMap(({ client }) => whose(client)));
  return { limit, clients, customers: hit.size, requests, share, ...(closest && { closest }) };
}

interface OwnedClients {
  /** Of the busiest clients. */
  readonly customers: ReadonlyMap<string, ReadonlySet<string>>;
  /** No customer since then is missing. Undefined: customers may be missing. */
  readonly knownSince: number | undefined;
  /** The number of clients whose customers were read. */
  readonly read: number;
}

/** Customers are read of so many of the busiest clients: all that a sensible limit denies. */
const mostOwned = 2_000;
/** Addresses of one call: it must not hold up Redis. */
const atOnce = 500;

/** The customers of the busiest addresses, as nodes report them. Undefined where they could not be read. */
async function ownersOf(found: readonly ClientRates[]): Promise<OwnedClients | undefined> {
  const addresses = found.slice(0, mostOwned).flatMap(({ client }) => (isCanonical(client) ? [client] : []));
  const customers = new Map<string, Set<string>>();
  let knownSince: number | undefined = 0;
  // Once also without an address: an absence needs the time since when it is known.
  for (let from = 0; from === 0 || from < addresses.length; from += atOnce) {
    const part = addresses.slice(from, from + atOnce);
    const owners = await readOwners(theConsole().redis, part).catch(() => undefined);
    if (!owners) return undefined;
    for (const { address, owners: of, isAll } of owners.of) {
      if (of.length > 0) customers.set(address, new Set(of.map(({ customer }) => customer)));
      if (!isAll) knownSince = undefined;
    }
    if (knownSince !== undefined) knownSince = owners.knownSince && Math.max(knownSince, owners.knownSince);
  }
  return { customers, knownSince, read: Math.min(found.length, mostOwned) };
}

/** How the customers of the answer are known. */
export function customersKnown(
  kind: CountedKind,
  owned: Pick<OwnedClients, "knownSince" | "read"> | undefined,
  fromMs: number,
  judged: readonly { readonly clients: number }[],
): Pick<RatesReply, "customersBy" | "customersMayMiss"> {
  if (kind !== "ip") return { customersBy: kind === "other" ? "unknown" : "name", customersMayMiss: false };
  if (!owned) return { customersBy: "unknown", customersMayMiss: false };
  const isSince = owned.knownSince !== undefined && owned.knownSince <= fromMs;
  const isOfAll = judged.every(({ clients }) => clients <= owned.read);
  return { customersBy: "reports", customersMayMiss: !isSince || !isOfAll };
}

const factors = [3, 2, 5 / 6, 2 / 3];

/** Others to compare with, rounded to what people would write. */
export function nearbyLimits(limit: number): number[] {
  const around = factors.map((factor) => rounded(limit * factor)).filter((one) => one >= 1 && one !== limit);
  return [...new Set(around)].sort((a, b) => b - a);
}

/** To one digit and a half: 250, 600, 1,000. */
function rounded(limit: number): number {
  if (limit < 10) return Math.round(limit);
  const step = 10 ** Math.floor(Math.log10(limit)) / 2;
  return Math.round(limit / step) * step;
}
