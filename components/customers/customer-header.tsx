"use client";

import { History, RotateCcw, TriangleAlert, UserX } from "lucide-react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { addressesState } from "@/components/console/client-state.ts";
import { LinksOut } from "@/components/console/links-out.tsx";
import { StaleNote } from "@/components/console/read-state.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { deniedAddresses } from "./addresses/address-words.ts";
import type { AddressesRead } from "./addresses/denied-banner.tsx";
import { sayLevel, saySession, sayShared, sayTier, sayTierEnd, sayUsed } from "./customer-words.ts";
import type { Editor } from "./draft/use-editor.ts";
import { sayVerdict, type Verdict, verdictOf } from "./verdict/verdict.ts";

interface CustomerHeaderProps extends FactsProps {
  onReset: () => void;
  onSuspend: () => void;
}

/** Who it is, and whether the next request would pass. */
export function CustomerHeader({ editor, addresses, onReset, onSuspend }: CustomerHeaderProps) {
  const { now, mayChange } = editor;
  return (
    <PageHeader
      back={{ href: "/customers", label: "Customers" }}
      title={`customer ${now.id}`}
      facts={<Facts {...{ editor, addresses }} />}
      actions={
        <>
          {mayChange && !now.suspension && (
            <Button icon={<UserX />} onClick={onSuspend}>
              Suspend…
            </Button>
          )}
          {mayChange && (
            <Button icon={<RotateCcw />} onClick={onReset}>
              Reset counters
            </Button>
          )}
          <AskButton needs="customers" kind="change" target={`customer ${now.id}`} />
          <LinkButton href={`/audit?target=${encodeURIComponent(now.id)}`} icon={<History />}>
            Audit
          </LinkButton>
        </>
      }
    />
  );
}

interface FactsProps {
  editor: Editor;
  addresses: AddressesRead;
}

function Facts({ editor: { now, staleSince }, addresses }: FactsProps) {
  const { id, tier, override, suspension, usage, mode, levels, from, session, defaultTier } = now;
  const clock = useNow();
  const inForce = saySession(now);
  const ofMany = from === "group" || from === "pattern" ? sayShared(now) : undefined;
  return (
    <>
      <Badge tone="plain" isLarge>
        <span suppressHydrationWarning>{tier ? sayTierEnd(tier, clock) : "No tier"}</span>
      </Badge>
      {override && (
        <Badge tone="plain" isLarge>
          Custom throttle
        </Badge>
      )}
      {staleSince === undefined && suspension && (
        <Badge tone={mode === "enforce" ? "blocked" : "plain"} icon={<UserX />} isLarge>
          Suspended
        </Badge>
      )}
      {staleSince === undefined && usage && !(suspension && mode === "enforce") && (
        <NowBadge verdict={verdictOf(usage, mode)} addresses={addresses} />
      )}
      {staleSince === undefined && !levels && <span>limits for anonymous clients, by customer id</span>}
      {staleSince === undefined && from === "default-tier" && defaultTier !== null && (
        <span>limits of the default tier, {sayTier(defaultTier)}</span>
      )}
      {staleSince === undefined && levels && ofMany && (
        <span>
          {levels.map(sayLevel).join(", ")} <TextLink href="/overrides">{ofMany}</TextLink>
        </span>
      )}
      {staleSince === undefined && session && inForce && (
        <span>
          {inForce} (<Timestamp at={session.at} />)
        </span>
      )}
      {staleSince !== undefined && <StaleNote since={staleSince} />}
      <LinksOut kind="customer" id={id} />
    </>
  );
}

/** `Throttled, 612 of 100 this hour`; "Blocked by address" where an entry or rule denies the customer's address. */
function NowBadge({ verdict, addresses: { data, isError } }: { verdict: Verdict; addresses: AddressesRead }) {
  const { name, by } = verdict;
  const byAddress = data && addressesState(deniedAddresses(data));
  if (byAddress)
    return (
      <Badge tone={byAddress.tone} icon={toneIcon(byAddress.tone)} isLarge>
        {byAddress.says}
      </Badge>
    );
  if (name === "none") return null;
  const used = by ? `, ${sayUsed(by)}` : "";
  // Without its addresses, only its own limits are known to let it pass.
  if (name !== "throttled" && (!data || isError))
    return isError ? (
      <Badge tone="plain" isLarge>
        {`Within its limits${used}; addresses unknown`}
      </Badge>
    ) : null;
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
