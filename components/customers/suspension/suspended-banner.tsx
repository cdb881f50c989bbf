"use client";

import { UserX } from "lucide-react";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import type { AddressesRead } from "../addresses/denied-banner.tsx";
import { sayOlderNodes, saySafelisted, saySuspended, sayTerms } from "./suspension-words.ts";

interface SuspendedBannerProps {
  now: CustomerNow;
  addresses: AddressesRead;
  /** Undefined for roles that may not change customers. */
  onResume: (() => void) | undefined;
}

/** The suspension of a customer: why, until when, and what it does not reach. */
export function SuspendedBanner({ now, addresses, onResume }: SuspendedBannerProps) {
  const time = useNow();
  const { suspension, mode } = now;
  if (!suspension) return null;
  const rest = [saySafelisted(addresses.data), sayOlderNodes(now)].filter((text) => text !== undefined);
  return (
    <Banner
      tone={mode === "enforce" ? "blocked" : "plain"}
      icon={<UserX />}
      title={saySuspended(now)}
      actions={onResume && <Button onClick={onResume}>Resume…</Button>}
    >
      <p>
        {suspension.note.reason !== "" && (
          <>
            “<Untrusted text={suspension.note.reason} max={300} />”{" "}
          </>
        )}
        <Untrusted text={sayTerms(suspension, time)} max={200} />
      </p>
      {rest.map((text) => (
        <p key={text}>
          <Untrusted text={text} max={400} />
        </p>
      ))}
    </Banner>
  );
}
