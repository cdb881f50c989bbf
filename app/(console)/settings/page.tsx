import type { Metadata } from "next";
import { PageHeader } from "../../../components/ui/page-header.tsx";
import { may, rolesThatMay } from "../../../lib/auth/roles.ts";
import { requireSignedIn } from "../../_server/session.ts";
import { AccessCard } from "./_components/access-card.tsx";
import { AddressCard } from "./_components/address-card.tsx";
import { HealthCard } from "./_components/health-card.tsx";
import { NeverBlockCard } from "./_components/never-block-card.tsx";

export const metadata: Metadata = { title: "Settings" };

/** How Sluice is, whom nobody may block, and how the console sees whoever asks. */
export default async function Settings() {
  const { email, role } = await requireSignedIn();
  return (
    <>
      <PageHeader title="Settings" />
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <HealthCard />
          <NeverBlockCard mayChange={may(role, "never-block")} whoMay={rolesThatMay("never-block")} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <AddressCard />
          <AccessCard email={email} role={role} />
        </div>
      </div>
    </>
  );
}
