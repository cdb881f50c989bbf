import type { Metadata } from "next";
import { PolicyView } from "@/components/policy/policy-view.tsx";
import { getPolicy } from "@/lib/console/policy/policy-page.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { policy } from "@/lib/queries/policy.ts";

export const metadata: Metadata = { title: "Policy" };

/** Rules, tiers, mode and their versions. */
export default async function PolicyPage() {
  const { role } = await requireSignedIn();
  return (
    <Prefetched reads={[pageRead(policy(), getPolicy, {})]}>
      <PolicyView mayChange={may(role, "policy")} whoMay={rolesThatMay("policy")} />
    </Prefetched>
  );
}
