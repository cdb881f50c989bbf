"use client";

import { History, RotateCcw } from "lucide-react";
import { Badge } from "../../../../../components/ui/badge.tsx";
import { Button } from "../../../../../components/ui/button.tsx";
import { LinkButton } from "../../../../../components/ui/link-button.tsx";
import { PageHeader } from "../../../../../components/ui/page-header.tsx";
import { Timestamp } from "../../../../../components/ui/timestamp.tsx";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { sayTier } from "../../level-words.ts";
import { verdictOf } from "../_editor/verdict.ts";
import { NowBadge } from "./verdict-words.tsx";

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
  const { tier, override, usage, mode, levels } = now;
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
      {staleSince === undefined && !levels && <span>counts as anonymous, by address</span>}
      {staleSince !== undefined && (
        <span>
          as of <Timestamp at={staleSince} />: the console cannot read it now
        </span>
      )}
    </>
  );
}
