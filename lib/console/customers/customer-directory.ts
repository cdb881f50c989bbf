import { isCustomerId } from "../../enforce/customers/id.ts";
import { readSharedOverrides } from "../../enforce/customers/stored-limits.ts";
import { countingRules } from "../../enforce/policy/customer-plan.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { calendarIn } from "../../enforce/policy/words.ts";
import { DomainError } from "../../errors.ts";
import { CustomerDirectory, directoryScripts } from "../../observe/customers/directory.ts";
import { type CustomerGroup, type CustomerMatch, findCustomers } from "../../observe/customers/search.ts";
import { type CountReader, tightestOf, type Usage } from "../../observe/customers/usage.ts";
import { type CustomersPage, customersAtOnce } from "../../queries/customers.ts";
import type { Connection } from "../../redis/connect.ts";
import { type Mirror, startMirror } from "../../redis/mirror.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import type { Console } from "../console.ts";

interface DirectorySource {
  readonly redis: Connection;
  readonly counts: CountReader;
  readonly directory: CustomerDirectory;
  readonly ageMs: number;
}

interface DirectorySearch {
  readonly search: string;
  readonly group: CustomerGroup;
  readonly offset: number;
}

/** A page of customers as the console shows them: with what each has used of the level it is closest to. */
export async function findPage(
  { redis, counts, directory, ageMs }: DirectorySource,
  { search, group, offset }: DirectorySearch,
): Promise<CustomersPage> {
  const [{ policy }, shared] = await Promise.all([readPolicy(redis), readSharedOverrides(redis)]);
  const sought = { beginning: search, group, offset, limit: customersAtOnce };
  const found = findCustomers(directory, policy, shared, sought);
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

function listed(customer: CustomerMatch, usage: Usage | undefined, now: number) {
  const { id, tier, tierEnd, override, suspension, isFlagged } = customer;
  const endOf = ({ endsInMs }: { readonly endsInMs: number | null }) =>
    endsInMs === null ? null : now + endsInMs;
  return {
    id,
    tier: tier ?? null,
    tierEnd: tierEnd ? { expiresAt: now + tierEnd.endsInMs, back: tierEnd.back ?? null } : null,
    override: override ? { levels: [...override.levels], expiresAt: endOf(override) } : null,
    suspension: suspension ? { expiresAt: endOf(suspension) } : null,
    usage: usage ? tightest(usage) : null,
    isFlagged,
  };
}

function tightest(usage: Usage) {
  const { rule, algorithm, limit, periodSeconds, used, isOver, isShadowed } = usage;
  return { rule, algorithm, limit, periodSeconds, ...calendarIn(usage), used, isOver, isShadowed };
}

/** A customer that the policy counts has a number unless the counters are away. */
function isCounted(policy: Policy, customer: CustomerMatch | undefined): boolean {
  return customer !== undefined && countingRules(policy, customer.levels).length > 0;
}

interface DirectoryFollower {
  readonly directory: CustomerDirectory;
  readonly mirror: Mirror;
  isLoaded: boolean;
  readonly loading: Promise<void>;
}

const patienceMs = 10_000;

/** The console's own copy of all customers: it begins to load with the first request. */
export async function directoryOf({ redisUrl }: Pick<Console, "redisUrl">): Promise<DirectoryFollower> {
  const follower = oncePerProcess("console customers", () => follow(redisUrl));
  if (!follower.isLoaded) await Promise.race([follower.loading, tooLong()]);
  return follower;
}

function follow(redisUrl: string): DirectoryFollower {
  const directory = new CustomerDirectory();
  let isDone = nothing;
  const loading = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  const onCurrent = () => {
    follower.isLoaded = true;
    isDone();
  };
  const events = { onCurrent, onLost: nothing, onApplied: nothing, onOther: nothing };
  const follower: DirectoryFollower = {
    directory,
    mirror: startMirror(redisUrl, directory, events, directoryScripts),
    isLoaded: false,
    loading,
  };
  return follower;
}

function tooLong(): Promise<never> {
  return new Promise((_, reject) => {
    const late = new DomainError("redis-unavailable", "The customers are still being read. Try again soon.");
    setTimeout(reject, patienceMs, late).unref();
  });
}

function nothing(): void {}
