import { z } from "zod";
import { membersOf } from "../../manage/overrides/members.ts";
import { requireName, requireShared } from "../../manage/overrides/shared-override.ts";
import { type ListedOverride, listSharedOverrides } from "../../observe/overrides/list.ts";
import type { OverrideRow, OverridesReply } from "../../queries/overrides.ts";
import { theConsole } from "../console.ts";
import { read } from "../read.ts";
import { shared } from "../statistics.ts";

const freshMs = 900;

export const getOverrides = read("read", z.object({}), () => shared("overrides", freshMs, readAll));

async function readAll(): Promise<OverridesReply> {
  const { now, overrides, tiers, olderNodes } = await listSharedOverrides(theConsole().redis);
  return {
    now,
    overrides: overrides.map(rowOf),
    tiers: Object.entries(tiers).map(([name, { levels }]) => ({ name, levels: [...levels] })),
    olderNodes: [...olderNodes],
  };
}

function rowOf(one: ListedOverride): OverrideRow {
  const { name, levels, tier, members, isTierKnown, isEnded, expiresAt, reason, by, at, usedAt } = one;
  return {
    ...{ name, levels: levels ?? null, tier: tier ?? null, isTierKnown, isEnded, expiresAt, reason, by },
    ...{ members: members?.count ?? null, at: Date.parse(at), usedAt },
  };
}

export const getGroupMembers = read(
  "read",
  z.object({ name: z.string().max(80) }),
  async ({ console: { redis }, search }) => ({
    ids: await membersOf(redis, await requireShared(redis, requireName(search.name))),
  }),
);
