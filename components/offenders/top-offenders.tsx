"use client";

import { ChevronRight } from "lucide-react";
import { useLive, useLiveQuery } from "@/components/console/use-live.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { OffendersCard } from "./offenders-card.tsx";
import { allOffenders } from "./page-reads.ts";

const mostRows = 8;

/** The worst offenders, for the Overview. */
export function TopOffenders({ mayChange }: { mayChange: boolean }) {
  const { app } = useLive();
  const read = useLiveQuery(allOffenders(app), 1_000);
  return (
    <OffendersCard
      read={read}
      most={mostRows}
      skeletonRows={mostRows}
      mayChange={mayChange}
      actions={
        <LinkButton
          href={app === undefined ? "/offenders" : `/offenders?app=${encodeURIComponent(app)}`}
          variant="ghost"
          size="sm"
        >
          All offenders
          <ChevronRight />
        </LinkButton>
      }
    />
  );
}
