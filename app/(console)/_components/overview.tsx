"use client";

import { useStanding } from "../../../components/shell/status.tsx";
import { counted } from "../../../components/ui/count-text.ts";
import { PageHeader } from "../../../components/ui/page-header.tsx";
import type { AuditPage } from "../../../lib/queries/audit.ts";
import type { Status } from "../../../lib/queries/status.ts";
import { LiveControls } from "../_live/live-controls.tsx";
import { LiveOverview } from "../_live/live-overview.tsx";
import { ConnectCard } from "./connect-card.tsx";
import { LatestCard } from "./latest-card.tsx";
import { NodesCard } from "./nodes-card.tsx";
import { RulesCard } from "./rules-card.tsx";
import { Tiles } from "./tiles.tsx";

interface OverviewProps {
  latest: AuditPage;
  mayChange: boolean;
}

/** For who is on call: is there an attack, who is it, is enforcement working, what was changed last. */
export function Overview({ latest, mayChange }: OverviewProps) {
  const { known } = useStanding();
  const isConnected = known !== undefined && hasApps(known);
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
        <LatestCard initial={latest} />
        <RulesCard />
      </div>
    </>
  );
}

/** The console enforces both lists on itself: it is a node, but no app that anybody connected. */
const ownApp = "console";

function hasApps({ nodes }: Status): boolean {
  return nodes.some(({ app }) => app !== ownApp);
}

function appsOf({ nodes }: Status): string[] {
  return [...new Set(nodes.map(({ app }) => app))].filter((app) => app !== ownApp).sort();
}

function sayFleet(known: Status): string {
  return `${counted(appsOf(known).length, "app")} · ${counted(known.nodes.length, "node")}`;
}
