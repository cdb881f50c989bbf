import { listSharedOverrides } from "../overrides/list.ts";
import { type Check, note, ok, plural, problem } from "./finding.ts";

/** Overrides of groups and patterns: those that are not in force, and nodes that ignore them. */
export const overrides: Check = {
  name: "overrides",
  async run({ redis }) {
    const { overrides, olderNodes } = await listSharedOverrides(redis);
    if (overrides.length === 0) return [ok("No group or pattern of customers has an override.")];
    const unknown = overrides.filter(({ isTierKnown }) => !isTierKnown);
    const isUseHidden = overrides.some(({ usedAt }) => usedAt === undefined);
    const found = [
      ...(olderNodes.length > 0
        ? [
            problem(
              `${plural(olderNodes.length, "node")} of an earlier version ignore the overrides of groups and patterns.`,
              {
                cure: "Upgrade these nodes.",
                details: [...olderNodes],
              },
            ),
          ]
        : []),
      ...(unknown.length > 0
        ? [
            problem(`${plural(unknown.length, "override")} not enforced: the policy has no such tier.`, {
              cure: "Give them another tier, or levels: sluice override set.",
              details: unknown.map(({ name, tier }) => `${name}: ${tier}`),
            }),
          ]
        : []),
      ...(isUseHidden
        ? [
            note("A node may not report when overrides of groups and patterns were last used.", {
              cure: "Give the account of the nodes the right to sluice:overrides:used of deploy/users.acl.",
            }),
          ]
        : []),
    ];
    return found.length > 0
      ? found
      : [ok(`${plural(overrides.length, "override")} of groups and patterns, all enforced.`)];
  },
};
