import { writeBasis } from "../../../../lib/customers/basis.ts";
import type { CountedUsage } from "../../../../lib/customers/usage.ts";
import type { CustomerView } from "../../../../lib/customers/view.ts";
import type { CustomerNow, LevelUsage } from "../../../../lib/queries/customer.ts";

/** A customer as the browser is told of it. */
export function toNow({ now, basis, mode, tiers, customer, usage }: CustomerView): CustomerNow {
  const { id, tier, override, levels, flags } = customer;
  return {
    ...{ id, now, mode, flags: [...flags] },
    basedOn: writeBasis(basis),
    tiers: Object.entries(tiers).map(([name, { levels }]) => ({ name, levels })),
    tier: tier ?? null,
    override: override ? { ...override, levels: [...override.levels] } : null,
    levels: levels ? [...levels] : null,
    usage: toUsage(usage),
  };
}

export function toUsage(usage: readonly CountedUsage[] | undefined): LevelUsage[] | null {
  return (
    usage?.map(({ rule, algorithm, limit, periodSeconds, used, resetMs, isOver, isShadowed, isOwn }) => ({
      ...{ rule, algorithm, limit, periodSeconds, used, resetMs, isOver, isShadowed, isOwn },
    })) ?? null
  );
}
