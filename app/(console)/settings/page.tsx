import type { Metadata } from "next";
import { AccessCard } from "@/components/settings/access-card.tsx";
import { AddressCard } from "@/components/settings/address-card.tsx";
import { HealthCard } from "@/components/settings/health-card.tsx";
import { LinksCard } from "@/components/settings/links-card.tsx";
import { NeverBlockCard } from "@/components/settings/never-block-card.tsx";
import { RetentionCard } from "@/components/settings/retention-card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { getLinks } from "@/lib/console/clients/note-reads.ts";
import { getRetention } from "@/lib/console/denials/denial-reads.ts";
import { getNeverBlock } from "@/lib/console/lists/list-reads.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { readOwnPath, requireSignedIn } from "@/lib/console/session/session.ts";
import { getDoctorReport } from "@/lib/console/status/doctor-report.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { denialRetention } from "@/lib/queries/denials.ts";
import { doctor } from "@/lib/queries/doctor.ts";
import { links } from "@/lib/queries/links.ts";
import { neverBlock } from "@/lib/queries/never-block.ts";

export const metadata: Metadata = { title: "Settings" };

/** Health, protected ranges, and the address at which the console sees the user. */
export default async function Settings() {
  const { email, role } = await requireSignedIn();
  return (
    <Prefetched
      reads={[
        pageRead(doctor(), getDoctorReport, {}),
        pageRead(neverBlock(), getNeverBlock, {}),
        pageRead(links(), getLinks, {}),
        pageRead(denialRetention(), getRetention, {}),
      ]}
    >
      <PageHeader title="Settings" />
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <HealthCard />
          <NeverBlockCard mayChange={may(role, "never-block")} whoMay={rolesThatMay("never-block")} />
          <LinksCard mayChange={may(role, "links")} whoMay={rolesThatMay("links")} />
          <RetentionCard mayChange={may(role, "denial-log")} whoMay={rolesThatMay("denial-log")} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <AddressCard {...(await readOwnPath())} />
          <AccessCard email={email} role={role} />
        </div>
      </div>
    </Prefetched>
  );
}
