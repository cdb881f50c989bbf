"use client";

import { History, RotateCcw } from "lucide-react";
import { StaleNote } from "@/components/console/read-state.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayTier } from "./level-words.ts";
import { verdictOf } from "./verdict/verdict.ts";
import { NowBadge } from "./verdict/verdict-words.tsx";

interface CustomerHeaderProps {
  now: CustomerNow;
  staleSince: number | undefined;
  mayChange: boolean;
  onReset: () => void;
}

/** Who it is, and whether the next request would pass. */
export function CustomerHeader({ now, staleSince, mayChange, onReset }: CustomerHeaderProps) {
  return (
    <PageHeader
      back={{ href: "/customers", label: "Customers" }}
      title={`customer ${now.id}`}
      facts={<Facts now={now} staleSince={staleSince} />}
      actions={
        <>
          {mayChange && (
            <Button icon={<RotateCcw />} onClick={onReset}>
              Reset counters
            </Button>
          )}
          <LinkButton href={`/audit?target=${encodeURIComponent(now.id)}`} icon={<History />}>
            Audit
          </LinkButton>
        </>
      }
    />
  );
}

function Facts({ now, staleSince }: Pick<CustomerHeaderProps, "now" | "staleSince">) {
  const { tier, override, usage, mode, levels, defaultTier } = now;
  return (
    <>
      <Badge tone="plain" isLarge>
        {tier ? sayTier(tier.name) : "No tier"}
      </Badge>
      {override && (
        <Badge tone="plain" isLarge>
          Custom throttle
        </Badge>
      )}
      {staleSince === undefined && usage && <NowBadge verdict={verdictOf(usage, mode)} />}
      {staleSince === undefined && !levels && <span>limits for anonymous clients, by customer id</span>}
      {staleSince === undefined && levels && !override && !tier?.isKnown && defaultTier !== null && (
        <span>limits of the default tier, {sayTier(defaultTier)}</span>
      )}
      {staleSince !== undefined && <StaleNote since={staleSince} />}
    </>
  );
}
