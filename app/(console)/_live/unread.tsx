import { Gauge, TriangleAlert } from "lucide-react";
import { Card } from "../../../components/ui/card.tsx";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { LinkButton } from "../../../components/ui/link-button.tsx";

/** A page that came up while nothing can be read. It is asked again by itself. */
export function NoOverview({ message }: { message: string }) {
  return (
    <Card>
      <EmptyState
        icon={<TriangleAlert />}
        title="What happens now cannot be read"
        hint={`${message} It is asked again every second.`}
      />
    </Card>
  );
}

/** Counts of a while ago would name the wrong ones. */
export function NoCounters() {
  return (
    <Card title="Top offenders">
      <EmptyState
        icon={<Gauge />}
        title="Counters are paused"
        hint="Counters and EARRRL scores live in Redis. They are hidden, not shown stale."
        action={<LinkButton href="/blocklist">Open blocklist</LinkButton>}
      />
    </Card>
  );
}
