"use client";

import { LiveControls } from "@/components/console/live-controls.tsx";
import { appsOf } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { Status } from "@/lib/queries/status.ts";
import { ConnectCard } from "./connect-card.tsx";
import { LatestCard } from "./latest-card.tsx";
import { LiveOverview } from "./live-overview.tsx";
import { NodesCard } from "./nodes-card.tsx";
import { RulesCard } from "./rules-card.tsx";
import { Tiles } from "./tiles.tsx";

/** Overview for the engineer on call: attacks, offenders, enforcement and the latest changes. */
export function Overview({ mayChange }: { mayChange: boolean }) {
  const { known } = useStanding();
  const isConnected = known !== undefined && appsOf(known).length > 0;
  return (
    <>
      <PageHeader
        title="Overview"
        facts={known && sayFleet(known)}
        actions={isConnected && <LiveControls apps={appsOf(known)} />}
      />
      {isConnected ? <LiveOverview mayChange={mayChange} /> : <Tiles />}
      {known && !isConnected && <ConnectCard known={known} />}
      <NodesCard />
      <div className="grid items-start gap-3 lg:grid-cols-[2fr_1fr]">
        <LatestCard />
        <RulesCard />
      </div>
    </>
  );
}

function sayFleet(known: Status): string {
  return `${counted(appsOf(known).length, "app")} · ${counted(known.nodes.length, "node")}`;
}
