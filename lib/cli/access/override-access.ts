import type * as z from "zod/mini";
import {
  groupMembersReply,
  overridePreviewReply,
  overrideReply,
  overridesReply,
  removedOverrideReply,
  savedOverrideReply,
} from "../../api/replies.ts";
import { membersOf } from "../../manage/overrides/members.ts";
import { removeSharedOverride } from "../../manage/overrides/remove-shared.ts";
import {
  type SavedShared,
  type SharedOverrideInput,
  saveSharedOverride,
} from "../../manage/overrides/save-shared.ts";
import { noShared, type SharedOverrideDefinition } from "../../manage/overrides/shared-override.ts";
import { listCustomers } from "../../observe/customers/search.ts";
import { type ListedOverride, listSharedOverrides } from "../../observe/overrides/list.ts";
import type { KnownCustomer, SharedOverridePreview } from "../../observe/overrides/override-effect.ts";
import { previewChange, type WantedOverride } from "../../observe/overrides/preview-change.ts";
import { ClientCounts } from "../../observe/stats/client-counts.ts";
import type { Connection } from "../../redis/connect.ts";
import type { CommandSession, WritingSession } from "../session.ts";
import { type ApiSettings, askApi } from "./api-client.ts";
import { durationOf, msOf } from "./api-values.ts";

export interface OverrideReads {
  /** Of groups and patterns, in the order in which they win. */
  listOverrides(): Promise<OverridesRead>;
  findOverride(
    name: string,
  ): Promise<{ readonly override: ShownOverride; readonly customers: readonly string[] }>;
  previewOverride(wanted: WantedOverride): Promise<SharedOverridePreview>;
}

export interface OverrideWrites {
  saveOverride(
    input: SharedOverrideInput,
  ): Promise<Omit<SavedShared, "override"> & { readonly override: OverrideFacts }>;
  removeOverride(input: {
    readonly name: string;
    readonly reason: string;
  }): Promise<{ readonly change: number | null }>;
}

/** The definition, as far as commands show it. */
export type OverrideFacts = Omit<SharedOverrideDefinition, "members" | "via"> & {
  readonly members?: { readonly count: number } | undefined;
};

export type ShownOverride = OverrideFacts & Pick<ListedOverride, "isEnded" | "isTierKnown" | "usedAt">;

interface OverridesRead {
  readonly overrides: readonly ShownOverride[];
  /** Live nodes that ignore them. */
  readonly olderNodes: readonly string[];
}

export function redisOverrideReads({ redis, now }: CommandSession): OverrideReads {
  return {
    listOverrides: () => listSharedOverrides(redis),
    async findOverride(name) {
      const { overrides } = await listSharedOverrides(redis);
      const override = overrides.find((one) => one.name === name);
      if (!override) throw noShared(name);
      return { override, customers: await membersOf(redis, override) };
    },
    async previewOverride(wanted) {
      const source = { redis, clients: new ClientCounts(redis), customers: await everyone(redis) };
      return previewChange(source, wanted, now());
    },
  };
}

async function everyone(redis: Connection): Promise<KnownCustomer[]> {
  const found = new Map<string, KnownCustomer>();
  for (let cursor: string | null = "0"; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof listCustomers>> = await listCustomers(redis, { cursor });
    for (const customer of page.customers) found.set(customer.id, customer);
    cursor = page.cursor;
  }
  return [...found.values()];
}

export function redisOverrideWrites({ context }: WritingSession): OverrideWrites {
  return {
    saveOverride: (input) => saveSharedOverride(context, input),
    removeOverride: (input) => removeSharedOverride(context, input),
  };
}

export function apiOverrides(api: ApiSettings): OverrideReads & OverrideWrites {
  const pathOf = (name: string) => `/overrides/${encodeURIComponent(name)}`;
  return {
    async listOverrides() {
      const found = await askApi(api, { method: "GET", path: "/overrides", reply: overridesReply });
      return { overrides: found.overrides.map(rowOf), olderNodes: found.nodesWithoutOverrides };
    },
    async findOverride(name) {
      const override = rowOf(await askApi(api, { method: "GET", path: pathOf(name), reply: overrideReply }));
      if (!override.members) return { override, customers: [] };
      const path = `${pathOf(name)}/customers`;
      return { override, ...(await askApi(api, { method: "GET", path, reply: groupMembersReply })) };
    },
    previewOverride: ({ name, levels, tier, members }) =>
      askApi(api, {
        ...{ method: "POST", path: `${pathOf(name)}/preview`, reply: overridePreviewReply },
        body: { levels, tier, ...bodyOf(members) },
      }),
    async saveOverride({ name, levels, tier, expiresInMs, members, reason, isOldIgnored = false }) {
      const life = expiresInMs === undefined ? {} : { expiresIn: durationOf(expiresInMs) };
      const body = { levels, tier, ...life, ...bodyOf(members), evenWithOldNodes: isOldIgnored, reason };
      const saved = await askApi(api, { method: "PUT", path: pathOf(name), body, reply: savedOverrideReply });
      return { change: saved.change, outcome: saved.outcome, override: storedOf(saved) };
    },
    removeOverride: ({ name, reason }) =>
      askApi(api, { method: "DELETE", path: pathOf(name), query: { reason }, reply: removedOverrideReply }),
  };
}

const bodyOf = (members: SharedOverrideInput["members"]) =>
  members && { customers: members.set, add: members.add, remove: members.remove };

function storedOf(
  given: Omit<z.output<typeof overrideReply>, "isEnded" | "isTierKnown" | "isUseKnown" | "usedAt">,
) {
  const { name, levels, tier, expiresAt, customers, reason, by, at } = given;
  return {
    ...{ name, reason, by, at, expiresAt: msOf(expiresAt) },
    ...(levels && { levels }),
    ...(tier !== null && { tier }),
    ...(customers !== null && { members: { count: customers } }),
  };
}

function rowOf(given: z.output<typeof overrideReply>): ShownOverride {
  const { isEnded, isTierKnown, isUseKnown, usedAt } = given;
  const used = usedAt === null && !isUseKnown ? undefined : msOf(usedAt);
  return { ...storedOf(given), isEnded, isTierKnown, usedAt: used };
}
