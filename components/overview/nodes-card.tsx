import { Server } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { clockText, counted } from "@/components/ui/value-text.ts";
import type { NodeStatus } from "@/lib/queries/status.ts";
import { inOrder, NodeList, NodeTable } from "./node-table.tsx";

const mostRows = 50;

/** All processes that enforce. Nodes with a problem come first. */
export function NodesCard() {
  const { known, trouble } = useStanding();
  const hint =
    trouble && known
      ? `Stale: last updated ${clockText(known.at)}. Each node enforces from its own copy.`
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
        title="No node has reported"
        hint="Without a node, nothing is enforced. A node appears here within 2 s of its start."
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
        title="Failed to load the nodes"
        hint="Redis does not answer. Nodes enforce from their own copy of the lists. The page retries automatically."
      />
    );
  return (
    <div aria-busy="true" className="flex flex-col gap-2 p-3.5">
      <Skeleton />
      <Skeleton />
    </div>
  );
}
