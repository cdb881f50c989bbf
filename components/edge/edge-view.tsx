"use client";

import { Check, Eye, Power, TriangleAlert, Unplug } from "lucide-react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { PauseButton } from "@/components/console/pause-button.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Switched } from "@/components/console/switched.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { type EdgeReply, edge } from "@/lib/queries/edge.ts";
import { Dictionaries } from "./dictionaries.tsx";
import { EdgeSwitchButton } from "./edge-switch.tsx";
import { type Hindrance, hindranceOf, lapseOf, sayLimited } from "./edge-words.ts";
import { LimitedCard } from "./limited-card.tsx";
import { SweepsCard } from "./sweeps-card.tsx";

const edgeEveryMs = 2_000;

/** Which clients the edge denies, why and until when, and how to let them in. */
export function EdgeView({ maySwitch, mayLetIn }: { maySwitch: boolean; mayLetIn: boolean }) {
  const read = useLiveQuery(edge(), edgeEveryMs);
  const { data } = read;
  return (
    <>
      <PageHeader
        title="Edge"
        facts={data && <EdgeFacts edge={data} />}
        actions={
          <>
            <PauseButton />
            {data && <EdgeSwitchButton edge={data} maySwitch={maySwitch} />}
            <AskButton needs="edge" kind="change" target="the edge" />
          </>
        }
      />
      <ReadState
        read={read}
        name="the state of the edge"
        skeleton={<EdgeSkeleton />}
        consequence="Edges keep the entries that they hold."
        isFramed
      >
        {(found) => (
          <>
            <EdgeNotices edge={found} />
            <Dictionaries edge={found} />
            <LimitedCard edge={found} mayLetIn={mayLetIn} />
            <SweepsCard edge={found} />
          </>
        )}
      </ReadState>
    </>
  );
}

function EdgeSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Card>
        <Skeleton className="h-16 w-full" />
      </Card>
      <Card isFlush>
        <RowsSkeleton rows={8} columns={[2, 5, 2, 3, 2]} rowHeight={46} hasHead />
      </Card>
    </div>
  );
}

const looks = {
  unconnected: { tone: "plain", icon: <Unplug />, word: "Not connected" },
  off: { tone: "throttled", icon: <Power />, word: "Off" },
  shadow: { tone: "shadow", icon: <Eye />, word: "Shadow" },
  "mode-off": { tone: "blocked", icon: <Power />, word: "Mode off" },
} as const satisfies Record<Hindrance, unknown>;
const on = { tone: "pass", icon: <Check />, word: "On" } as const;
const unfollowed = { tone: "throttled", icon: <TriangleAlert />, word: "On, not in sync" } as const;

/** On or off, number of denied clients, and author of the switch. */
function EdgeFacts({ edge }: { edge: EdgeReply }) {
  const hindrance = hindranceOf(edge);
  const look = hindrance ? looks[hindrance] : lapseOf(edge) ? unfollowed : on;
  // While it is off, the banner says that.
  const isTold = edge.isOn || hindrance === "unconnected";
  return (
    <>
      <Badge tone={look.tone} icon={look.icon} isLarge>
        {look.word}
      </Badge>
      <span className="text-body text-text-2">{sayLimited(edge)}</span>
      {isTold && edge.switched && (
        <span>
          <Switched {...edge.switched} to={edge.isOn ? "on" : "off"} />
        </span>
      )}
    </>
  );
}

const longestProblem = 600;

/** Why the edges are not in sync. */
function EdgeNotices({ edge: { problem, isStale, asOf, last } }: { edge: EdgeReply }) {
  if (problem !== null)
    return (
      <Banner tone="blocked" title="This console does not sync the edge: its settings are wrong">
        <Untrusted text={problem} max={longestProblem} />{" "}
        {isStale
          ? "No other console does, so the edges keep what they hold. Fix the settings, then restart the console."
          : "Another console syncs the edges."}
      </Banner>
    );
  if (!isStale) return null;
  if (last === null)
    return (
      <Banner tone="plain" title="The edges have not been synced yet">
        The first sync runs within 10 s after a console starts.
      </Banner>
    );
  return (
    <Banner
      tone="blocked"
      icon={<TriangleAlert />}
      title={`Edge sync has been stopped for ${durationText(asOf - last.at)}`}
    >
      Denied clients stay denied, and no other client is added. One of the consoles that reach Redis syncs the
      edges each second. The console's log has the cause.
    </Banner>
  );
}
