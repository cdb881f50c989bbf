import type { Metadata } from "next";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { OverridesView } from "@/components/customers/shared/overrides-view.tsx";
import { getOverrides } from "@/lib/console/overrides/override-reads.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { overrides } from "@/lib/queries/overrides.ts";

export const metadata: Metadata = { title: "Overrides" };

/** Limits of groups of customers, and of patterns of their ids. */
export default async function OverridesPage() {
  const { role } = await requireSignedIn();
  return (
    <Prefetched reads={[pageRead(overrides(), getOverrides, {})]}>
      <LiveProvider>
        <OverridesView mayChange={may(role, "customers")} />
      </LiveProvider>
    </Prefetched>
  );
}
