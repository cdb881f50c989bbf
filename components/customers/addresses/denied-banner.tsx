"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Ban, Gauge } from "lucide-react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { endInWords } from "@/components/console/time-words.ts";
import { Banner } from "@/components/ui/banner.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { type CustomerAddress, type CustomerAddresses, customerAddresses } from "@/lib/queries/owners.ts";
import { isDenied, isPartlyBlocked, sayAuthor, sayDenied, sayUnchecked } from "./address-words.ts";

const everyMs = 5_000;

export type AddressesRead = ReturnType<typeof useAddresses>;

/** The addresses of a customer, and what denies its requests from them. */
export function useAddresses(id: string) {
  return useQuery({
    ...customerAddresses(id),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
    retry: false,
  });
}

const mostShown = 3;

interface DeniedBannerProps {
  read: AddressesRead;
  /** Roles that may change the blocklist. */
  whoMayBlock: string;
  mayBlock: boolean;
}

/** Addresses of the customer that are denied by something else than its limits: by what, until when, and who can change it. */
export function DeniedBanner({ read: { data }, whoMayBlock, mayBlock }: DeniedBannerProps) {
  const now = useNow();
  const denied = data?.addresses.filter((one) => isDenied(one) || isPartlyBlocked(one)) ?? [];
  const [first] = denied;
  if (!data || !first) return null;
  const isBlocked = denied.some(({ entry, blockedInside }) => entry || blockedInside > 0);
  const listed = first.entry?.address ?? (isPartlyBlocked(first) ? first.address : undefined);
  const place = listed === undefined ? undefined : `/blocklist?q=${encodeURIComponent(listed)}`;
  return (
    <Banner
      tone={isBlocked ? "blocked" : "throttled"}
      icon={isBlocked ? <Ban /> : <Gauge />}
      title={sayDenied(data)}
      actions={
        <>
          {first.entry && (
            <AskButton
              needs="lists"
              kind="unblock"
              target={first.entry.address}
              label="Ask staff to unblock…"
            />
          )}
          <LinkButton href={place ?? `/clients/${encodeURIComponent(first.address)}`}>
            {place === undefined ? "Open client" : first.entry ? "Open entry" : "Open entries"}
          </LinkButton>
        </>
      }
    >
      <ul className="flex flex-col gap-0.5">
        {denied
          .filter(isDenied)
          .slice(0, mostShown)
          .map((one) => (
            <li key={one.address}>
              <Cause of={one} now={now} />
            </li>
          ))}
      </ul>
      <p>{sayWhoMay({ mayBlock, whoMayBlock, isBlocked, data })}</p>
    </Banner>
  );
}

function Cause({ of: { address, entry, rule }, now }: { of: CustomerAddress; now: number }) {
  if (entry) {
    return (
      <>
        <span className="font-mono">{address}</span>: entry <span className="font-mono">{entry.address}</span>
        {entry.reason !== "" && (
          <>
            {" “"}
            <Untrusted text={entry.reason} max={160} />”
          </>
        )}{" "}
        <Untrusted text={sayAuthor(entry, now)} max={120} />.{" "}
        {entry.expiresAt === null ? "It never expires." : `Expires ${endInWords(entry.expiresAt, now)}`}
        {entry.expiresAt !== null && <Left ms={entry.expiresAt - now} />}
      </>
    );
  }
  if (!rule) return null;
  return (
    <>
      <span className="font-mono">{address}</span>: rule <Untrusted text={rule.name} max={60} /> counts the
      address
      <Left ms={rule.resetSeconds * 1_000} />
    </>
  );
}

/** Hidden from screen readers, which would announce the banner again with each change. The time of the end is beside it. */
function Left({ ms }: { ms: number }) {
  return <span aria-hidden="true">{`, ${durationText(ms)} left.`}</span>;
}

interface WhoMay extends Pick<DeniedBannerProps, "mayBlock" | "whoMayBlock"> {
  isBlocked: boolean;
  data: CustomerAddresses;
}

function sayWhoMay({ mayBlock, whoMayBlock, isBlocked, data }: WhoMay): string {
  const parts = [
    isBlocked && !mayBlock ? `The blocklist can be changed by ${whoMayBlock}.` : "",
    "New limits do not help.",
    sayUnchecked(data) ?? "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
