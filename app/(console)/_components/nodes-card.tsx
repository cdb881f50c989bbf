"use client";

import { Server } from "lucide-react";
import { clockText } from "../../../components/shell/clock-text.ts";
import { useStanding } from "../../../components/shell/status.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { counted } from "../../../components/ui/count-text.ts";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import type { NodeStatus } from "../../../lib/queries/status.ts";
import { inOrder } from "./node-order.ts";
import { NodeList, NodeTable } from "./node-table.tsx";

const mostRows = 50;

/** Every process that enforces, whoever is behind first. */
export function NodesCard() {
  const { known, trouble } = useStanding();
  const hint =
    trouble && known
      ? `as last heard at ${clockText(known.at)}; each decides from its own copy`
      : "processes that enforce lists and rules";
  return (
    <Card title="Nodes" hint={hint} isFlush>
      {known ? (
        <Nodes nodes={inOrder(known.nodes)} isOld={trouble !== undefined} />
      ) : (
        <Unknown isAway={trouble !== undefined} />
      )}
    </Card>
  );
}

function Nodes({ nodes, isOld }: { nodes: readonly NodeStatus[]; isOld: boolean }) {
  if (nodes.length === 0)
    return (
      <EmptyState
        icon={<Server />}
        title="No node has reported, so nothing is enforced"
        hint="A node appears here within two seconds of its start. This console is one, too, as soon as it has read the lists."
      />
    );
  const shown = nodes.slice(0, mostRows);
  const hidden = nodes.length - shown.length;
  return (
    <>
      <NodeTable nodes={shown} isOld={isOld} />
      <NodeList nodes={shown} isOld={isOld} />
      {hidden > 0 && <p className="px-3.5 py-2 text-cell text-text-3">and {counted(hidden, "node")} more</p>}
    </>
  );
}

function Unknown({ isAway }: { isAway: boolean }) {
  if (isAway)
    return (
      <EmptyState
        icon={<Server />}
        title="Which nodes run is not known"
        hint="It shows here once Redis answers."
      />
    );
  return (
    <div aria-busy="true" className="flex flex-col gap-2 p-3.5">
      <Skeleton />
      <Skeleton />
    </div>
  );
}
