"use client";

import { Ruler } from "lucide-react";
import dynamic from "next/dynamic";
import { ReadState } from "@/components/console/read-state.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { saySeconds } from "@/lib/enforce/policy/words.ts";
import { type RatesReply, rateSpans } from "@/lib/queries/rates.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { FindSide } from "./find-side.tsx";
import { type Findable, type Finder, findKey, hitBy, useFinder } from "./finder.ts";

/** Loaded separately, so that the table and the summary do not wait for the chart. */
const LimitChart = dynamic(
  () => import("@/components/charts/limit-chart.tsx").then((module) => module.LimitChart),
  { ssr: false, loading: () => <Skeleton className="h-72 w-full" /> },
);

const mostBars = 50;

/** Effect that a limit would have had: a line through the busiest clients, and a sentence. */
export function FindCard({ editor }: { editor: PolicyEditor }) {
  const finder = useFinder(editor);
  const { chosen, read } = finder;
  return (
    <div id="find-limit" className="scroll-mt-16">
      <Card
        title="Find the right limit"
        hint={chosen && sayWhat(finder, chosen)}
        actions={<FindControls finder={finder} />}
      >
        {!chosen ? (
          <EmptyState
            icon={<Ruler />}
            title="No rule with a limit per period"
            hint="This works for rules that count by address or by customer and have a limit per period."
          />
        ) : (
          <ReadState read={read} name="the rates" skeleton={<Skeleton className="h-72 w-full" />}>
            {(reply) => (
              <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:divide-x lg:divide-border">
                <Bars finder={finder} chosen={chosen} reply={reply} />
                <FindSide {...{ editor, finder, chosen, reply }} />
              </div>
            )}
          </ReadState>
        )}
      </Card>
    </div>
  );
}

function sayWhat({ span }: Finder, { periodSeconds }: Findable): string {
  const window = saySeconds(Math.max(60, Math.round(periodSeconds / 60) * 60));
  return `most requests in any ${window}, top ${mostBars} clients, last ${span === "1h" ? "hour" : "24 hours"}`;
}

function Bars({ finder, chosen, reply }: { finder: Finder; chosen: Findable; reply: RatesReply }) {
  const per = `per ${saySeconds(chosen.periodSeconds)}`;
  if (reply.top.length === 0)
    return (
      <EmptyState
        icon={<Ruler />}
        title="No requests were counted in this period"
        hint="Bars appear within 1 min of the first request. Choose a longer period or another app."
      />
    );
  const sayLimit = (limit: number) => {
    const hit = hitBy(reply, limit);
    return `${countText(limit)} ${per}${hit ? `, ${counted(hit.clients, "client")} over the limit` : ""}`;
  };
  return (
    <div className="min-w-0 lg:pr-4">
      <Legend isIp={chosen.kind === "ip"} />
      <LimitChart
        caption={`Most requests ${per} of the busiest clients`}
        bars={reply.top
          .slice(0, mostBars)
          .map(({ client, peak, customers }) => ({ client, peak, isCustomer: customers.length > 0 }))}
        limit={finder.limit}
        inForce={chosen.limit}
        gap={reply.gap}
        per={per}
        text={sayLimit}
        onChange={finder.move}
      />
    </div>
  );
}

function Legend({ isIp }: { isIp: boolean }) {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2">
      <Key look="bg-throttled-graphic" words="over the limit" />
      {isIp && <Key look="bg-control" words="anonymous" />}
      <Key look="bg-text-2" words="customer ●" />
      <Key look="bg-blocked-graphic" words="customer over the limit" />
    </ul>
  );
}

function Key({ look, words }: { look: string; words: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-[2px] ${look}`} />
      {words}
    </li>
  );
}

const everyApp = "*";

function FindControls({ finder }: { finder: Finder }) {
  const { choices, chosen, span, app, choose, look, pick } = finder;
  const { known } = useStanding();
  const apps = [...new Set([...(known?.nodes.map((node) => node.app) ?? []), ...(app ? [app] : [])])].sort();
  if (!chosen) return null;
  return (
    <>
      <Select
        label="Rule"
        value={findKey(chosen)}
        onChange={choose}
        options={choices.map((one) => ({
          value: findKey(one),
          label: `${one.rule}, ${countText(one.limit)} per ${saySeconds(one.periodSeconds)}`,
        }))}
      />
      <Select
        label="App"
        value={app ?? everyApp}
        onChange={(picked) => pick(picked === everyApp ? undefined : picked)}
        options={[
          { value: everyApp, label: "All apps" },
          ...apps.map((name) => ({ value: name, label: name })),
        ]}
      />
      <Segmented
        label="Time"
        value={span}
        onChange={look}
        options={rateSpans.map((each) => ({ value: each, label: each }))}
      />
    </>
  );
}
