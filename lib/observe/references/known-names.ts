import { withLimits } from "../../enforce/policy/code-limits.ts";
import type { Policy } from "../../enforce/policy/schema.ts";
import { isGood, listVersions, readPolicy } from "../../enforce/policy/versions.ts";
import {
  clientDigest,
  type NameDigest,
  nameDigest,
  type ReferenceFacts,
} from "../../enforce/references/reference.ts";
import { countsByApp, readField, readHitter, ruleNames } from "../../enforce/stats/fields.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { breathing } from "../../redis/loop-turn.ts";
import { listNodes } from "../stats/nodes.ts";
import { readCustomerNames } from "./customer-names.ts";

/** The names behind the digests of a reference. Undefined: no name that is known has this digest. */
export interface DenialNames {
  readonly app: string | undefined;
  readonly rule: string | undefined;
  readonly feed: string | undefined;
  readonly customer: string | undefined;
  /** What a rule counted that is neither an address nor a customer. */
  readonly value: string | undefined;
}

const minuteSeconds = 60;

/** Finds the names of a denial among those that Redis has: of the policy and its versions, statistics, feeds and customers. */
export async function findNames(redis: Connection, facts: ReferenceFacts): Promise<DenialNames> {
  const { kind, counted } = facts;
  const counts = countsByApp(await redis.hgetall(keys.totals()));
  const app = nameOf(facts.app, [...counts.keys(), ...(await listNodes(redis)).map((node) => node.app)]);
  const [rule, feed, customer, value] = await Promise.all([
    kind === "rule" ? findRule(redis, facts.decider, counts) : undefined,
    kind === "feed" ? redis.hkeys(keys.feeds()).then((ids) => nameOf(facts.decider, ids)) : undefined,
    counted?.is === "customer" ? findCustomer(redis, facts, counted.digest) : undefined,
    counted?.is === "value" ? findValue(redis, facts, app, counted.digest) : undefined,
  ]);
  return { app, rule, feed, customer, value };
}

async function findRule(
  redis: Connection,
  digest: NameDigest,
  counts: ReturnType<typeof countsByApp>,
): Promise<string | undefined> {
  const { policy } = await readPolicy(redis);
  const inForce = await withLimits(redis, policy);
  const now = nameOf(digest, namesIn(inForce));
  if (now !== undefined) return now;
  const versions = (await listVersions(redis)).filter(isGood);
  const earlier = nameOf(
    digest,
    versions.flatMap((version) => namesIn(version.policy)),
  );
  if (earlier !== undefined) return earlier;
  const names = ruleNames(policy);
  const counted = [...counts.values()].flatMap((ofApp) =>
    [...ofApp.keys()].flatMap((text) => {
      const field = readField(text, names);
      return field?.kind === "denied" || field?.kind === "checked" ? [field.rule] : [];
    }),
  );
  return nameOf(digest, counted);
}

/** Customers seen at the address come first: an ID of the same digest elsewhere is then not asked for. */
async function findCustomer(
  redis: Connection,
  { client }: ReferenceFacts,
  digest: NameDigest,
): Promise<string | undefined> {
  const breathe = breathing();
  for await (const names of readCustomerNames(redis, client)) {
    await breathe();
    const found = names.find((name) => clientDigest(name) === digest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Busy clients of a rule are kept for a day. */
async function findValue(
  redis: Connection,
  { at }: ReferenceFacts,
  app: string | undefined,
  digest: NameDigest,
): Promise<string | undefined> {
  if (app === undefined) return undefined;
  const minute = Math.floor(at / minuteSeconds);
  const sets = await Promise.all(
    [minute, minute + 1].map((one) => redis.zrange(keys.hitters("all", app, one), 0, "-1")),
  );
  for (const text of sets.flat()) {
    const hitter = readHitter(text, (rule) => rule);
    if (hitter?.kind === "rule" && clientDigest(hitter.client) === digest) return hitter.client;
  }
  return undefined;
}

/** Of rules that count, and of request rules. */
const namesIn = ({ rules, requestRules = [] }: Policy): string[] =>
  [...rules, ...requestRules].map(({ name }) => name);

function nameOf(digest: NameDigest, names: readonly string[]): string | undefined {
  return names.find((name) => nameDigest(name) === digest);
}
