import { z } from "zod";
import {
  groupMembersReply,
  overridePreviewReply,
  overrideReply,
  overridesReply,
  removedOverrideReply,
  savedOverrideReply,
} from "../../api/replies.ts";
import { DomainError } from "../../errors.ts";
import { membersOf } from "../../manage/overrides/members.ts";
import { removeSharedOverride } from "../../manage/overrides/remove-shared.ts";
import { saveSharedOverride } from "../../manage/overrides/save-shared.ts";
import {
  mostMembers,
  noShared,
  requireName,
  requireShared,
  type SharedOverrideDefinition,
} from "../../manage/overrides/shared-override.ts";
import { type ListedOverride, listSharedOverrides } from "../../observe/overrides/list.ts";
import { previewChange } from "../../observe/overrides/preview-change.ts";
import { directoryOf } from "../customers/customer-directory.ts";
import { redisNowMs, theStatistics } from "../statistics.ts";
import { expiresIn, none, reason } from "./fields.ts";
import { operation } from "./operation.ts";

const tag = "Overrides";
const params = z.strictObject({
  name: z
    .string()
    .max(80)
    .transform((text, context) => {
      try {
        return requireName(text);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        context.addIssue({ code: "custom", message: error.fields.name ?? error.message });
        return z.NEVER;
      }
    })
    .describe("A pattern, which has a * (premium_*), or the name of a group."),
});
const ids = z.array(z.string().max(80)).max(mostMembers);
const terms = {
  levels: z
    .array(z.strictObject({ limit: z.number(), periodSeconds: z.number() }))
    .max(64)
    .optional(),
  tier: z.string().max(40).optional().describe("A tier of the policy, in place of levels."),
  ...{ customers: ids.optional(), add: ids.optional(), remove: ids.optional() },
};

export const overrideOperations = [
  operation({
    ...{ method: "GET", path: "/overrides", id: "listOverrides", tag, action: "api.read", needs: "read" },
    summary: "Overrides of groups and patterns, in the order in which they win",
    about: "A customer's own override wins over all of them.",
    ...{ params: none, query: none, reply: overridesReply },
    async run({ redis }) {
      const { overrides, olderNodes } = await listSharedOverrides(redis);
      return { body: { overrides: overrides.map(listedBody), nodesWithoutOverrides: [...olderNodes] } };
    },
  }),
  operation({
    ...{
      method: "GET",
      path: "/overrides/{name}",
      id: "getOverride",
      refusals: { 404: "There is no such override." },
      tag,
      action: "api.read",
      needs: "read",
    },
    summary: "The override of a group or pattern",
    about: "`usedAt` is null if no check has used it; `isUseKnown` says whether all nodes report that.",
    ...{ params, query: none, reply: overrideReply },
    async run({ redis }, { params: { name } }) {
      const { overrides } = await listSharedOverrides(redis);
      const found = overrides.find((one) => one.name === name);
      if (!found) throw noShared(name);
      return { body: listedBody(found) };
    },
  }),
  operation({
    ...{ method: "GET", path: "/overrides/{name}/customers", id: "listGroupCustomers", tag },
    ...{ action: "api.read", needs: "read", params, query: none, reply: groupMembersReply },
    summary: "The customers of a group",
    about: "A pattern has no list.",
    async run({ redis }, { params: { name } }) {
      return { body: { name, customers: await membersOf(redis, await requireShared(redis, name)) } };
    },
  }),
  operation({
    ...{ method: "PUT", path: "/overrides/{name}", id: "putOverride", tag, isWrite: true },
    ...{ action: "override.set", needs: "customers", params, query: none, reply: savedOverrideReply },
    summary: "Give limits to a group of customers, or to all whose ID matches a pattern",
    about:
      "Levels or a tier. What is left out stays as it is. `customers` replaces the customers of a group; `add` and `remove` change them.",
    body: z.strictObject({
      ...terms,
      expiresIn: expiresIn
        .optional()
        .describe("90s, 30m, 24h, 7d, 1w or never. A new override never expires."),
      evenWithOldNodes: z
        .boolean()
        .default(false)
        .describe("Save even if nodes of an older version run. These ignore it."),
      reason,
    }),
    async run(ctx, { params: { name }, body }) {
      const { levels, tier, expiresIn, evenWithOldNodes, reason } = body;
      const { change, outcome, override } = await saveSharedOverride(ctx, {
        ...{ name, levels, tier, expiresInMs: expiresIn, reason, isOldIgnored: evenWithOldNodes },
        members: membersChange(body),
      });
      return { body: { ...definitionBody(override), outcome, change, dryRun: ctx.isDryRun } };
    },
  }),
  operation({
    ...{ method: "POST", path: "/overrides/{name}/preview", id: "previewOverride", tag },
    ...{ action: "override.preview", needs: "customers", params, query: none, reply: overridePreviewReply },
    summary: "Show who would get these limits, and who of the last hour would have been denied",
    about: "What is left out stays as it is. Writes nothing.",
    body: z.strictObject(terms),
    async run({ console, redis }, { params: { name }, body }) {
      const { directory } = await directoryOf(console);
      const source = { redis, clients: theStatistics().clients, customers: directory.beginningWith("") };
      const wanted = { name, levels: body.levels, tier: body.tier, members: membersChange(body) };
      const { over, unjudged, ...found } = await previewChange(source, wanted, await redisNowMs());
      return {
        body: { ...found, over: [...over], unjudged: unjudged.map((level) => ({ ...level })) },
      };
    },
  }),
  operation({
    ...{ method: "DELETE", path: "/overrides/{name}", id: "deleteOverride", tag, isWrite: true },
    ...{ action: "override.remove", needs: "customers", params, reply: removedOverrideReply },
    query: z.strictObject({ reason }),
    summary: "Remove the override of a group or pattern",
    about: "Its customers have the limits that come next.",
    refusals: { 404: "There is no such override." },
    async run(ctx, { params: { name }, query: { reason } }) {
      const { change } = await removeSharedOverride(ctx, { name, reason });
      return { body: { name, change, dryRun: ctx.isDryRun } };
    },
  }),
];

interface GivenMembers {
  readonly customers?: readonly string[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
}

/** Undefined where nothing is said about them. */
function membersChange({ customers, add, remove }: GivenMembers) {
  const isGiven = [customers, add, remove].some((one) => one !== undefined);
  return isGiven ? { set: customers, add, remove } : undefined;
}

const iso = (ms: number) => new Date(Math.min(ms, 8.64e15)).toISOString();

function definitionBody({
  name,
  levels,
  tier,
  expiresAt,
  members,
  reason,
  by,
  at,
}: SharedOverrideDefinition) {
  return {
    ...{ name, levels: levels ?? null, tier: tier ?? null, reason, by, at },
    expiresAt: expiresAt === null ? null : iso(expiresAt),
    customers: members?.count ?? null,
  };
}

function listedBody(one: ListedOverride) {
  const { isEnded, isTierKnown, usedAt } = one;
  return {
    ...{ ...definitionBody(one), isEnded, isTierKnown },
    ...{ usedAt: usedAt == null ? null : iso(usedAt), isUseKnown: usedAt !== undefined },
  };
}
