"use client";

import { Ruler } from "lucide-react";
import dynamic from "next/dynamic";
import { ReadState } from "@/components/console/read-state.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { saySeconds } from "@/lib/enforce/policy/words.ts";
import { type RatesReply, rateSpans } from "@/lib/queries/rates.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { FindActions, FindSide } from "./find-side.tsx";
import { type Findable, type Finder, findKey, hitBy, isCountedNow, saySpan, useFinder } from "./finder.ts";

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
            hint="This works for rules that have limits per period of their own."
          />
        ) : (
          <ReadState read={read} name="the rates" skeleton={<Skeleton className="h-72 w-full" />}>
            {(reply) =>
              reply.knownMinutes === 0 ? (
                <NoHistory {...{ editor, finder, chosen, reply }} />
              ) : (
                <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_340px] lg:divide-x lg:divide-border">
                  <Bars finder={finder} chosen={chosen} reply={reply} />
                  <FindSide {...{ editor, finder, chosen, reply }} />
                </div>
              )
            }
          </ReadState>
        )}
      </Card>
    </div>
  );
}

function sayWhat({ span }: Finder, chosen: Findable): string {
  const { counts } = chosen;
  const most = `most requests in any ${saySeconds(chosen.periodSeconds)}, top ${mostBars} clients, last ${saySpan(span, chosen)}`;
  return counts === undefined ? most : `${counts}; ${most}`;
}

/** A limit for some requests is never judged by others. */
function NoHistory({ editor, finder, chosen, reply }: Parameters<typeof FindSide>[0]) {
  const isCounted = isCountedNow(editor.draft.base, chosen.scope);
  const counts = chosen.counts === undefined ? "" : `This rule only counts ${chosen.counts}. `;
  return (
    <div className="flex flex-col gap-3">
      <Banner
        tone="throttled"
        title={
          isCounted
            ? `${counts}There is no history for it yet.`
            : `${counts}There is no history for it yet: run it in shadow for an hour.`
        }
      >
        {isCounted
          ? `No node has reported its clients in the last ${saySpan(finder.span, chosen)}. After a publication, the first clients appear within 1 min. Nodes of earlier versions report none.`
          : "Nodes count what a rule in force counts, not what a draft would count."}
      </Banner>
      {!isCounted && (
        <div className="flex max-w-md flex-col">
          <FindActions {...{ editor, finder, chosen, reply }} />
        </div>
      )}
    </div>
  );
}

function Bars({ finder, chosen, reply }: { finder: Finder; chosen: Findable; reply: RatesReply }) {
  const per = `per ${saySeconds(chosen.periodSeconds)}`;
  if (reply.top.length === 0)
    return (
      <EmptyState
        icon={<Ruler />}
        title="No requests were counted in this period"
        hint="Bars appear within 1 min of the first request. Choose a longer time."
      />
    );
  const sayLimit = (limit: number) => {
    const hit = hitBy(reply, limit);
    return `${countText(limit)} ${per}${hit ? `, ${counted(hit.clients, "client")} over the limit` : ""}`;
  };
  return (
    <div className="min-w-0 lg:pr-4">
      <Legend isByAddress={chosen.kind !== "customer"} />
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

function Legend({ isByAddress }: { isByAddress: boolean }) {
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-meta text-text-2">
      <Key look="bg-throttled-graphic" words="over the limit" />
      {isByAddress && <Key look="bg-control" words="anonymous" />}
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

function FindControls({ finder }: { finder: Finder }) {
  const { choices, chosen, span, choose, look } = finder;
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
      <Segmented
        label="Time"
        value={span}
        onChange={look}
        options={rateSpans.map((each) => ({ value: each, label: each }))}
      />
    </>
  );
}
