"use client";

import { History, RotateCcw, TriangleAlert } from "lucide-react";
import { StaleNote } from "@/components/console/read-state.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayLevel, sayTier, sayUsed } from "./customer-words.ts";
import type { Editor } from "./draft/use-editor.ts";
import { sayVerdict, type Verdict, verdictOf } from "./verdict/verdict.ts";

/** Who it is, and whether the next request would pass. */
export function CustomerHeader({ editor, onReset }: { editor: Editor; onReset: () => void }) {
  const { now, mayChange } = editor;
  return (
    <PageHeader
      back={{ href: "/customers", label: "Customers" }}
      title={`customer ${now.id}`}
      facts={<Facts editor={editor} />}
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

function Facts({ editor: { now, staleSince } }: { editor: Editor }) {
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

/** `Throttled, 612 of 100 this hour`. */
function NowBadge({ verdict }: { verdict: Verdict }) {
  const { name, by } = verdict;
  if (name === "none") return null;
  const used = by ? `, ${sayUsed(by)}` : "";
  return (
    <VerdictBadge verdict={name} isLarge>
      <span className="truncate">
        {sayVerdict(verdict)}
        {used}
      </span>
    </VerdictBadge>
  );
}

/** Data of another program that nodes do not enforce, and what is in force instead. */
export function ForeignBanner({ now: { flags, levels } }: { now: CustomerNow }) {
  if (flags.length === 0) return null;
  const inForce = levels ? levels.map(sayLevel).join(", ") : "limits for anonymous clients, by customer id";
  return (
    <Banner
      tone="throttled"
      icon={<TriangleAlert />}
      title={`Part of the customer's data in Redis is not enforced. In force: ${inForce}`}
    >
      <ul className="flex flex-col gap-0.5">
        {flags.map((flag) => (
          <li key={flag}>
            <Untrusted text={flag} max={300} />
          </li>
        ))}
      </ul>
    </Banner>
  );
}
