import type { CustomerDirectory } from "../../../lib/customers/directory.ts";
import { isCustomerId } from "../../../lib/customers/id.ts";
import { findCustomers, type Group, type Listed } from "../../../lib/customers/search.ts";
import { type CountReader, tightestOf, type Usage } from "../../../lib/customers/usage.ts";
import type { Policy } from "../../../lib/policy/schema.ts";
import { readPolicy } from "../../../lib/policy/versions.ts";
import { type CustomersPage, customersAtOnce } from "../../../lib/queries/customers.ts";
import type { Connection } from "../../../lib/redis/connect.ts";

export interface Source {
  readonly redis: Connection;
  readonly counts: CountReader;
  readonly directory: CustomerDirectory;
  readonly ageMs: number;
}

export interface Asked {
  readonly search: string;
  readonly group: Group;
  readonly offset: number;
}

/** A page of customers as the console shows them: with what each has used of the level it is closest to. */
export async function findPage(
  { redis, counts, directory, ageMs }: Source,
  { search, group, offset }: Asked,
): Promise<CustomersPage> {
  const { policy } = await readPolicy(redis);
  const sought = { beginning: search, group, offset, limit: customersAtOnce };
  const found = findCustomers(directory, policy.tiers, sought);
  const usage = await tightestOf(counts, policy, found.customers);
  const now = Date.now();
  return {
    now,
    mode: policy.mode,
    tiers: Object.keys(policy.tiers),
    counts: Object.fromEntries(found.counts),
    total: found.total,
    customers: found.customers.map((one, i) => listed(one, usage[i], now)),
    isNewId: isCustomerId(search) && directory.get(search) === undefined,
    ageMs: Math.round(Math.min(ageMs, Number.MAX_SAFE_INTEGER)),
    areCountersUp: !usage.some((one, i) => !one && isCounted(policy, found.customers[i])),
  };
}

function listed({ id, tier, override, isFlagged }: Listed, usage: Usage | undefined, now: number) {
  return {
    id,
    tier: tier ?? null,
    override: override
      ? {
          levels: [...override.levels],
          expiresAt: override.endsInMs === null ? null : now + override.endsInMs,
        }
      : null,
    usage: usage ? tightest(usage) : null,
    isFlagged,
  };
}

function tightest({ rule, algorithm, limit, periodSeconds, used, isOver, isShadowed }: Usage) {
  return { rule, algorithm, limit, periodSeconds, used, isOver, isShadowed };
}

/** A customer with levels, under a policy that counts customers, has a number unless the counters are away. */
function isCounted({ rules }: Policy, customer: Listed | undefined): boolean {
  const isCounting = rules.some(({ client, mode }) => client === "customer" && mode !== "off");
  return isCounting && customer?.levels !== undefined;
}
