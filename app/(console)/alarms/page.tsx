import type { Metadata } from "next";
import { AlarmsView } from "@/components/alarms/alarms-view.tsx";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { getAlarms } from "@/lib/console/alarms/alarm-reads.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { alarms } from "@/lib/queries/alarms.ts";

export const metadata: Metadata = { title: "Alarms" };

/** What happened, where it was sent, and what users ask staff for. */
export default async function AlarmsPage() {
  const { role } = await requireSignedIn();
  return (
    <Prefetched reads={[pageRead(alarms(), getAlarms, {})]}>
      <LiveProvider>
        <AlarmsView
          mayChange={may(role, "alarms")}
          mayAcknowledge={may(role, "acknowledge")}
          mayDecide={may(role, "decide")}
        />
      </LiveProvider>
    </Prefetched>
  );
}
