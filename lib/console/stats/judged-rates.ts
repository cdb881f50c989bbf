import { z } from "zod";
import { readFeed } from "../../observe/stats/feed.ts";
import { type ClientRates, effectOf, gapOf, readRates } from "../../observe/stats/rates.ts";
import { type RatesReply, rateSpans } from "../../queries/rates.ts";
import { loopTurn } from "../../redis/loop-turn.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { redisNowMs, shared, theStatistics } from "../statistics.ts";

const search = z.object({
  kind: z.enum(["ip", "customer"]),
  periodSeconds: z.coerce.number().int().min(1).max(86_400),
  span: z.enum(rateSpans),
  app: z.string().min(1).max(64).optional(),
  limit: z.coerce.number().int().min(1),
});
const freshMs = 5_000;
const mostShown = 200;
const mostSeen = 5_000;
const spanMinutes = { "1h": 60, "24h": 1_440 } as const;

export const getRates = read(
  "read",
  search,
  async ({ search: { kind, periodSeconds, span, app, limit } }): Promise<RatesReply> => {
    // Reports are by the minute, so that is the shortest window there is to look at.
    const periodMinutes = Math.max(1, Math.round(periodSeconds / 60));
    const windows = Math.max(1, Math.ceil(spanMinutes[span] / periodMinutes));
    const { asOf, found, customers } = await shared(
      `rates ${kind} ${periodMinutes} ${span} ${app ?? ""}`,
      freshMs,
      async () => {
        const nowMs = await redisNowMs();
        const [rates, of] = await Promise.all([
          readRates(theStatistics().clients, { kind, app, periodMinutes, windows, nowMs }),
          kind === "ip" ? customersOf() : undefined,
        ]);
        return { asOf: nowMs, found: rates, customers: of };
      },
    );
    const whose = (client: string) => (customers ? [...(customers.get(client) ?? [])] : [client]);
    const judged: RatesReply["judged"] = [];
    for (const one of [limit, ...nearbyLimits(limit)]) {
      await loopTurn();
      judged.push(tell(found, one, whose));
    }
    const gap = gapOf(found);
    return {
      ...{ asOf, periodMinutes, known: found.length, judged },
      top: found.slice(0, mostShown).map(({ client, peak }) => ({ client, peak, customers: whose(client) })),
      ...(gap && { gap }),
    };
  },
);

function tell(
  found: readonly ClientRates[],
  limit: number,
  whose: (client: string) => string[],
): RatesReply["judged"][number] {
  const { clients, requests, share, closest } = effectOf(found, limit);
  const hit = new Set(found.slice(0, clients).flatMap(({ client }) => whose(client)));
  return { limit, clients, customers: hit.size, requests, share, ...(closest && { closest }) };
}

/** Who asks from which address, by what nodes kept lately. */
async function customersOf(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const { ip, customerId } of await readFeed(theConsole().redis, { most: mostSeen })) {
    if (customerId !== "") found.set(ip, (found.get(ip) ?? new Set()).add(customerId));
  }
  return found;
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
