import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod/mini";
import {
  addedEntriesReply,
  changeReply,
  customerReply,
  customersReply,
  denialReply,
  entriesReply,
  explainReply,
  explainValueReply,
  nodesReply,
  policyReply,
  policyVersionsReply,
  removedEntriesReply,
  resetReply,
  savedAttackModeReply,
  savedCustomerReply,
  savedModeReply,
  savedPolicyReply,
  taggedEntriesReply,
  usageReply,
} from "../../api/replies.ts";
import { parseCustomerId } from "../../enforce/customers/id.ts";
import { checkPolicy } from "../../enforce/policy/schema.ts";
import { readTimed } from "../../enforce/policy/timed.ts";
import type { PolicyInForce } from "../../enforce/policy/versions.ts";
import { DomainError } from "../../errors.ts";
import { isCanonical } from "../../ip/parse.ts";
import type { Customer } from "../../manage/customers/read.ts";
import type { AddOutcome } from "../../manage/lists/admission.ts";
import type { RemoveOutcome } from "../../manage/lists/remove.ts";
import type { TagOutcome } from "../../manage/lists/tag.ts";
import type { CustomerId, ListName } from "../../redis/keys.ts";
import { type Applied, longestWaitMs } from "../applied.ts";
import type { EntriesAsked, SavePolicyInput, UsageRow, WriteAccess } from "./access.ts";
import { apiAlarms } from "./alarm-access.ts";
import { type ApiSettings, askApi } from "./api-client.ts";
import { durationOf, msOf, untilOf } from "./api-values.ts";
import { apiDenials } from "./denial-access.ts";
import { apiFeeds } from "./feed-access.ts";
import { apiOverrides } from "./override-access.ts";
import { apiRequests } from "./request-access.ts";

const pollEveryMs = 20;

/** What commands read and change, over the API of a console. */
export function apiAccess(api: ApiSettings, { appliedWithinMs = longestWaitMs } = {}): WriteAccess {
  const readCustomer = async (id: CustomerId) =>
    customerOf(await askApi(api, { method: "GET", path: pathOf(id), reply: customerReply }));
  return {
    ...apiAlarms(api),
    ...apiDenials(api),
    ...apiFeeds(api),
    ...apiOverrides(api),
    ...apiRequests(api),
    now: () => Date.now(),
    readPolicy: async () =>
      policyOf(await askApi(api, { method: "GET", path: "/policy", reply: policyReply })),
    async readVersion(version) {
      const path = `/policy/versions/${version}`;
      return policyOf(await askApi(api, { method: "GET", path, reply: policyReply }));
    },
    async listVersions() {
      const path = "/policy/versions";
      return (await askApi(api, { method: "GET", path, reply: policyVersionsReply })).versions;
    },
    async countNodes() {
      return (await askApi(api, { method: "GET", path: "/nodes", reply: nodesReply })).nodes.length;
    },
    readCustomer,
    async readCustomers({ beginning, cursor }) {
      const query = { search: beginning, ...(cursor !== "0" && { cursor }) };
      const page = await askApi(api, { method: "GET", path: "/customers", query, reply: customersReply });
      return { customers: page.customers.map(customerOf), cursor: page.next };
    },
    async readUsage(id) {
      const usage = await askApi(api, { method: "GET", path: `${pathOf(id)}/usage`, reply: usageReply });
      return usage.levels.map(usageRow);
    },
    listEntries: (list, page) => readEntries(api, list, page),
    async findEntries(list, address, page) {
      const found = await readEntries(api, list, { ...page, search: address });
      return { ...found, address, decisive: undefined };
    },
    async explain(body) {
      const json = await askApi(api, { method: "POST", path: "/explain", body, reply: explainReply });
      const steps = json.steps.map((step) => ({
        ...step,
        entries: step.entries.map(({ address, expiresAt }) => ({ address, expiresAt: msOf(expiresAt) })),
      }));
      return { says: json.says, steps, json };
    },
    async explainValue(value) {
      const path = "/explain/value";
      return (await askApi(api, { method: "POST", path, body: { value }, reply: explainValueReply })).rules;
    },
    async explainReference(reference) {
      const path = `/denials/${encodeURIComponent(reference)}`;
      const json = await askApi(api, { method: "GET", path, reply: denialReply });
      return { says: [json.says, json.now], json };
    },
    setPolicy: ({ policy, ...input }) => savePolicy(api, "PUT", "/policy", { policy }, input),
    rollBack: ({ version, ...input }) => savePolicy(api, "POST", "/policy/roll-back", { version }, input),
    setMode: ({ untilMs, ...rest }) => {
      const body = { ...rest, ...untilOf(untilMs) };
      return askApi(api, { method: "PUT", path: "/mode", body, reply: savedModeReply });
    },
    startAttack: ({ untilMs, ...rest }) => {
      const body = { ...rest, ...untilOf(untilMs) };
      return askApi(api, { method: "PUT", path: "/attack-mode", body, reply: savedAttackModeReply });
    },
    endAttack: (query) =>
      askApi(api, { method: "DELETE", path: "/attack-mode", query, reply: savedAttackModeReply }),
    async addEntries({ list, addresses, ttlMs, reason, confirmed = [], force = false, tags }) {
      const life = ttlMs === undefined ? {} : { expiresIn: durationOf(ttlMs) };
      const added = tags && "add" in tags ? tags.add : [];
      // A console of an earlier version refuses the field.
      const tagged = added.length > 0 ? { tags: added } : {};
      const body = { addresses, ...life, ...tagged, reason, confirmed, force, partial: true };
      const { change, outcomes } = await askApi(api, {
        ...{ method: "POST", path: `/${list}`, body, reply: addedEntriesReply },
      });
      return { change, outcomes: outcomes.map(additionOf) };
    },
    async removeEntries({ list, addresses, reason }) {
      const body = { addresses, reason, partial: true };
      const { change, outcomes } = await askApi(api, {
        ...{ method: "POST", path: `/${list}/remove`, body, reply: removedEntriesReply },
      });
      return { change, outcomes: outcomes.map(removalOf) };
    },
    async tagEntries({ list, addresses, tags: { add, remove = [] }, reason }) {
      const body = { addresses, add, remove, reason, partial: true };
      const { change, outcomes } = await askApi(api, {
        ...{ method: "POST", path: `/${list}/tag`, body, reply: taggedEntriesReply },
      });
      return { change, outcomes: outcomes.map(tagOutcomeOf) };
    },
    setTier: ({ id, untilMs, ...given }) => {
      const body = { ...given, ...untilOf(untilMs) };
      return askApi(api, { method: "PUT", path: `${pathOf(id)}/tier`, body, reply: savedCustomerReply });
    },
    setOverride: ({ id, levels, expiresInMs, reason }) =>
      askApi(api, {
        ...{ method: "PUT", path: `${pathOf(id)}/limits`, reply: savedCustomerReply },
        body: { levels, expiresIn: durationOf(expiresInMs), reason },
      }),
    clearOverride: ({ id, reason }) =>
      askApi(api, {
        ...{ method: "DELETE", path: `${pathOf(id)}/limits`, query: { reason }, reply: savedCustomerReply },
      }),
    suspend: ({ id, expiresInMs, reason }) =>
      askApi(api, {
        ...{ method: "PUT", path: `${pathOf(id)}/suspension`, reply: savedCustomerReply },
        body: { expiresIn: durationOf(expiresInMs), reason },
      }),
    resume: ({ id, reason }) =>
      askApi(api, {
        ...{
          method: "DELETE",
          path: `${pathOf(id)}/suspension`,
          query: { reason },
          reply: savedCustomerReply,
        },
      }),
    resetCounters: ({ id, ...body }) =>
      askApi(api, { method: "POST", path: `${pathOf(id)}/reset`, body, reply: resetReply }),
    awaitApplied: (change) =>
      change === null ? Promise.resolve(null) : awaitNodes(api, change, appliedWithinMs),
  };
}

const pathOf = (id: CustomerId): string => `/customers/${encodeURIComponent(id)}`;

async function savePolicy(
  api: ApiSettings,
  method: "PUT" | "POST",
  path: string,
  what: object,
  { basedOn, reason, isOldIgnored = false, untilMs }: Omit<SavePolicyInput, "policy">,
) {
  const body = { ...what, reason, ...untilOf(untilMs), ...(isOldIgnored && { evenWithOldNodes: true }) };
  return askApi(api, { method, path, body, ifMatch: `"${basedOn}"`, reply: savedPolicyReply });
}

/** A failure to read the progress is no failure of the change, which is written. */
async function awaitNodes(api: ApiSettings, change: number, withinMs: number): Promise<Applied | null> {
  const deadline = performance.now() + withinMs;
  const ask = () => askApi(api, { method: "GET", path: `/changes/${change}`, reply: changeReply });
  try {
    for (let waitMs = pollEveryMs; ; waitMs *= 2) {
      const progress = await ask();
      if (progress.lagging.length === 0 || performance.now() > deadline) return progress;
      await pause(waitMs);
    }
  } catch {
    return null;
  }
}

async function readEntries(
  api: ApiSettings,
  list: ListName,
  { limit, tag, search }: EntriesAsked & { readonly search?: string },
) {
  const rows: z.output<typeof entriesReply>["entries"] = [];
  let cursor: string | undefined;
  let isCut = false;
  do {
    const size = String(Math.min(limit - rows.length, mostAPage));
    const query = { search, tag, cursor, limit: size };
    const page = await askApi(api, { method: "GET", path: `/${list}`, query, reply: entriesReply });
    rows.push(...page.entries);
    cursor = page.next ?? undefined;
    isCut = cursor !== undefined;
  } while (cursor !== undefined && rows.length < limit);
  const hits = new Map(rows.map((row) => [row.address, row.hits]));
  return {
    entries: rows.flatMap((row) => entryOf(list, row)),
    isCut,
    hits: (address: string) => {
      const { hour, day } = hits.get(address) ?? {};
      return { hour: hour ?? undefined, day: day ?? undefined };
    },
  };
}

const mostAPage = 1_000;

/** A key of a foreign writer that is no address has no place in the output, as with Redis. */
function entryOf(list: ListName, row: z.output<typeof entriesReply>["entries"][number]) {
  const { address, expiresAt, reason, by, at, via, tags, notEnforced } = row;
  if (!isCanonical(address)) return [];
  const note = {
    reason,
    ...(by !== undefined && { by }),
    ...(at !== undefined && { at }),
    ...(via !== undefined && { via }),
    ...(tags !== undefined && { tags }),
  };
  const why = notEnforced === undefined ? {} : { notEnforcedBecause: notEnforced };
  return [{ list, address, expiresAt: msOf(expiresAt), note, ...why }];
}

function additionOf({
  address,
  outcome,
  expiresAt,
  code,
  message,
}: z.output<typeof addedEntriesReply>["outcomes"][number]): AddOutcome {
  const known = addressOf(address);
  if (outcome !== "refused") return { address: known, outcome, expiresAt: msOf(expiresAt ?? null) };
  return { address: known, outcome, code: refusalCode(code), message: message ?? "" };
}

function tagOutcomeOf({
  address,
  outcome,
  tags = [],
  code,
  message = "",
}: z.output<typeof taggedEntriesReply>["outcomes"][number]): TagOutcome {
  const known = addressOf(address);
  if (outcome === "refused") return { address: known, outcome, code: refusalCode(code), message };
  if (outcome === "tagged") return { address: known, outcome, tags };
  return outcome === "absent" ? { address: known, outcome } : { address: known, outcome, message };
}

function removalOf({
  address,
  outcome,
  coveredBy = [],
  code,
  message,
}: z.output<typeof removedEntriesReply>["outcomes"][number]): RemoveOutcome {
  const known = addressOf(address);
  if (outcome !== "refused") return { address: known, outcome, coveredBy: coveredBy.filter(isCanonical) };
  return { address: known, outcome, code: refusalCode(code), message: message ?? "" };
}

/** The codes that a refused entry can have. */
function refusalCode(code: string | undefined) {
  return code === "needs-confirmation" || code === "bad-input" ? code : "lockout";
}

function addressOf(text: string) {
  if (isCanonical(text)) return text;
  throw new DomainError(
    "not-configured",
    `The console answered with ${text.slice(0, 50)}, which is no address.`,
  );
}

function policyOf({
  policy,
  problem,
  at,
  by,
  timed,
  ...stored
}: z.output<typeof policyReply>): PolicyInForce {
  const checked = checkPolicy(policy, { isStored: true });
  const about = {
    ...{ ...(at !== undefined && { at }), ...(by !== undefined && { by }) },
    ...(timed && { timed: readTimed(timed) }),
  };
  if (checked.ok)
    return { ...stored, ...about, policy: checked.policy, ...(problem !== undefined && { problem }) };
  const [first] = checked.problems;
  throw new DomainError(
    "not-configured",
    `The policy of the console has what this version of sluice does not know (${first?.path}). Install the version of the console.`,
  );
}

function customerOf({
  tier,
  override,
  suspension,
  levels,
  from,
  shared,
  session,
  flags,
  ...given
}: z.output<typeof customerReply>): Customer {
  const id = parseCustomerId(given.id);
  if (!id.ok)
    throw new DomainError("not-configured", `The console answered with a customer whose ID is not valid.`);
  return {
    ...{ id: id.value, flags },
    ...(tier && { tier: tierOf(tier) }),
    ...(override && { override: { ...notedOf(override), levels: override.levels } }),
    ...(suspension && { suspension: notedOf(suspension) }),
    ...(levels && { levels }),
    ...(from && { from }),
    ...(shared && { shared: { name: shared.name, ...(shared.tier !== undefined && { tier: shared.tier }) } }),
    ...(session && {
      session: {
        at: Date.parse(session.at),
        ...(session.tier !== null && { tier: session.tier }),
        ...(session.levels && { levels: session.levels }),
      },
    }),
  };
}

function tierOf({ back, ...tier }: NonNullable<z.output<typeof customerReply>["tier"]>) {
  return { ...tier, expiresAt: msOf(tier.expiresAt), ...(back !== undefined && { back }) };
}

type Noted = NonNullable<z.output<typeof customerReply>["suspension"]>;

function notedOf({ expiresAt, reason, by, at }: Noted) {
  const about = { ...(by !== undefined && { by }), ...(at !== undefined && { at }) };
  return { expiresAt: msOf(expiresAt), note: { reason, ...about } };
}

function usageRow(level: z.output<typeof usageReply>["levels"][number]): UsageRow {
  const { rule, says, used, algorithm, resetSeconds, isOver, isShadowed } = level;
  const rate = algorithm === "earrrl";
  return {
    ...{ rule, says, used, isOver, isShadowed },
    isRate: rate,
    resetMs: resetSeconds * 1_000,
    json: level,
  };
}
