import { isCustomerId, isPattern, patternMatcher } from "../../enforce/customers/id.ts";
import type { Scales } from "../../enforce/limits/scales.ts";
import { findCovering } from "../../enforce/lists/lookup.ts";
import { readPolicy } from "../../enforce/policy/versions.ts";
import { sayClient, sayLevels, sayLimits } from "../../enforce/policy/words.ts";
import { looksLikeReference } from "../../enforce/references/reference.ts";
import { DomainError } from "../../errors.ts";
import { isWhole } from "../../ip/block.ts";
import { blockOf, type Cidr, type Ip, parseAddress } from "../../ip/parse.ts";
import { readCustomer } from "../../manage/customers/read.ts";
import { readShared } from "../../manage/overrides/shared-override.ts";
import { readAddresses } from "../../observe/customers/owners.ts";
import { readValue } from "../../observe/policy/explain-value.ts";
import { explainReference } from "../../observe/references/explain-reference.ts";
import type { LookUpReply } from "../../queries/look-up.ts";
import type { Connection } from "../../redis/connect.ts";
import type { Console } from "../console.ts";

type LookUpSource = Pick<Console, "redis" | "protectedRanges"> & { readonly scales: Scales };

/**
 * What Sluice knows under this text: a denial by its reference, an address, a range, a customer's id, rules, or the value of a header or
 * cookie.
 */
export async function lookUp(
  source: LookUpSource,
  { text, yours }: { readonly text: string; readonly yours: Ip | undefined },
): Promise<LookUpReply> {
  const typed = text.trim();
  if (looksLikeReference(typed)) return lookUpReference(source, typed);
  const parsed = parseAddress(typed);
  if (parsed.ok) {
    const [address, customer] = await Promise.all([
      lookUpAddress(source, parsed.value, yours),
      findCustomer(source.redis, typed),
    ]);
    // Every IPv4 address could be an id, too; that customer is not meant.
    const known = customer?.isKnown ? customer : null;
    return { ...nothing, address, customer: known };
  }
  const { reason, suggestion } = parsed;
  const problem = suggestion === undefined && looksLikeAddress(typed) ? reason : null;
  const [customer, rules, overrides, values] = await Promise.all([
    findCustomer(source.redis, typed),
    typed === "" ? [] : findRules(source.redis, typed),
    typed === "" ? [] : findOverrides(source.redis, typed),
    typed === "" ? [] : findValue(source, typed),
  ]);
  return {
    ...nothing,
    suggestion: suggestion === undefined ? null : { text: suggestion, reason },
    problem,
    customer: customer?.isKnown || problem === null ? customer : null,
    rules,
    overrides,
    values,
  };
}

const noOthers = { rules: [], overrides: [], values: [] };

const nothing = {
  ...{ denial: null, address: null, suggestion: null, problem: null, customer: null },
  ...noOthers,
} satisfies LookUpReply;

async function lookUpReference(source: LookUpSource, text: string): Promise<LookUpReply> {
  try {
    const { outcome, says, now, client, customer, by } = await explainReference(
      { ...source, readSlack: async () => [] },
      text,
    );
    const denial = {
      ...{ outcome, says, now: now.says, client: client ?? null, customer: customer ?? null },
      entry: by.kind === "entry" ? by.address : null,
      feed: by.kind === "feed" ? (by.feed ?? null) : null,
      rule: by.kind === "rule" ? (by.rule ?? null) : null,
    };
    return { ...nothing, denial };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "bad-input") throw error;
    return { ...nothing, problem: error.message.replace(/\.$/, "") };
  }
}

const mostRules = 6;
const mostOverrides = 6;

async function findRules(redis: Connection, text: string): Promise<LookUpReply["rules"]> {
  const { policy } = await readPolicy(redis);
  const part = text.toLowerCase();
  return policy.rules
    .filter(({ name }) => name.toLowerCase().includes(part))
    .slice(0, mostRules)
    .map((rule) => ({
      ...{ name: rule.name, mode: rule.mode },
      says: `${sayLimits(rule)}, counted by ${sayClient(rule.client)}`,
    }));
}

async function findOverrides(redis: Connection, text: string): Promise<LookUpReply["overrides"]> {
  const part = text.toLowerCase();
  const isMeant = (name: string) =>
    name.toLowerCase().includes(part) || (isPattern(name) && patternMatcher(name)(text));
  return (await readShared(redis))
    .filter(({ name }) => isMeant(name))
    .slice(0, mostOverrides)
    .map(({ name, levels, tier }) => ({ name, says: levels ? sayLevels(levels) : `limits of tier ${tier}` }));
}

/** Counters that have this value: values that no client sent are left out. */
async function findValue(source: LookUpSource, value: string): Promise<LookUpReply["values"]> {
  const readings = await readValue(source, value);
  return readings.flatMap(({ name, rule, counts, says, isOver, used }) =>
    used > 0 ? [{ name, rule, counts, says, isOver }] : [],
  );
}

async function lookUpAddress(
  { redis, protectedRanges }: LookUpSource,
  address: Ip | Cidr,
  yours: Ip | undefined,
) {
  const block = blockOf(address);
  const covering = await findCovering(redis, block, protectedRanges);
  return {
    text: address,
    isRange: !isWhole(block),
    isYours: address === yours,
    covering: covering.map(({ list, address, note, expiresAt, notEnforcedBecause }) => ({
      ...{ list, address, reason: note.reason, by: note.by ?? null },
      ...{ expiresAt, notEnforced: notEnforcedBecause ?? null },
    })),
  };
}

async function findCustomer(redis: Connection, id: string): Promise<LookUpReply["customer"]> {
  if (!isCustomerId(id)) return null;
  const [{ tier, override }, { addresses }] = await Promise.all([
    readCustomer(redis, id),
    // Without its addresses, a customer is known by its tier and levels alone.
    readAddresses(redis, id).catch(() => ({ addresses: [] })),
  ]);
  const isKnown = tier !== undefined || override !== undefined || addresses.length > 0;
  return { id, isKnown, tier: tier?.name ?? null, hasOverride: override !== undefined };
}

/** Worth a word on what is wrong with it: nothing else has numbers with dots, colons or slashes. */
function looksLikeAddress(text: string): boolean {
  return /^\d+\.\d+\.|[:/]/.test(text);
}
