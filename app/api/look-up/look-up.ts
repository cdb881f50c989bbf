import { isCustomerId } from "../../../lib/customers/id.ts";
import { readCustomer } from "../../../lib/customers/read.ts";
import { isWhole } from "../../../lib/ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../../lib/ip/parse.ts";
import { findCovering } from "../../../lib/lists/search.ts";
import type { LookedUp } from "../../../lib/queries/look-up.ts";
import type { Connection } from "../../../lib/redis/connect.ts";
import type { Console } from "../../_server/console.ts";

type Source = Pick<Console, "redis" | "protectedRanges">;

/** What Sluice knows under this text, which may be an address, a range or a customer's id. */
export async function lookUp(
  source: Source,
  { text, yours }: { readonly text: string; readonly yours: Ip | undefined },
): Promise<LookedUp> {
  const typed = text.trim();
  const parsed = parseAddress(typed);
  if (parsed.ok) {
    const [address, customer] = await Promise.all([
      lookUpAddress(source, parsed.value, yours),
      findCustomer(source.redis, typed),
    ]);
    // Every IPv4 address could be an id, too; nobody means to create that.
    return { address, suggestion: null, problem: null, customer: customer?.isKnown ? customer : null };
  }
  const { reason, suggestion } = parsed;
  const problem = suggestion === undefined && looksLikeAddress(typed) ? reason : null;
  const customer = await findCustomer(source.redis, typed);
  return {
    address: null,
    suggestion: suggestion === undefined ? null : { text: suggestion, reason },
    problem,
    customer: customer?.isKnown || problem === null ? customer : null,
  };
}

async function lookUpAddress({ redis, protectedRanges }: Source, address: Ip | Cidr, yours: Ip | undefined) {
  const block = blockOf(address);
  const covering = await findCovering(redis, block, protectedRanges);
  return {
    text: address,
    isRange: !isWhole(block),
    isYours: address === yours,
    covering: covering.map(({ list, address, note, expiresAt, disobeyed }) => ({
      ...{ list, address, reason: note.reason, by: note.by ?? null },
      ...{ expiresAt, disobeyed: disobeyed ?? null },
    })),
  };
}

async function findCustomer(redis: Connection, id: string): Promise<LookedUp["customer"]> {
  if (!isCustomerId(id)) return null;
  const { tier, override } = await readCustomer(redis, id);
  const isKnown = tier !== undefined || override !== undefined;
  return { id, isKnown, tier: tier?.name ?? null, hasOverride: override !== undefined };
}

/** Worth a word on what is wrong with it: nothing else has numbers with dots, colons or slashes. */
function looksLikeAddress(text: string): boolean {
  return /^\d+\.\d+\.|[:/]/.test(text);
}
