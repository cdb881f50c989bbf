"use client";

import { ShieldCheck } from "lucide-react";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { useBlock } from "./use-block.ts";

const hourMs = 3_600_000;
const lives = [
  { text: "1h", ms: hourMs },
  { text: "24h", ms: 24 * hourMs },
  { text: "1w", ms: 168 * hourMs },
] as const;

export interface BlockButtonsProps {
  address: string;
  /** For the audit log: what was seen. */
  reason: string;
  listed?: { readonly list: "safelist" | "blocklist"; readonly address: string } | undefined;
  mayChange: boolean;
}

/** Always in sight, never behind a menu. */
export function BlockButtons({ address, reason, listed, mayChange }: BlockButtonsProps) {
  const { isBusy, put } = useBlock(address);
  if (listed) {
    const tone = listed.list === "blocklist" ? "blocked" : "safelisted";
    return <Badge tone={tone}>{listed.address === address ? listed.list : `by ${listed.address}`}</Badge>;
  }
  if (!mayChange) return null;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="inline-flex">
        {lives.map(({ text, ms }) => (
          <Button
            key={text}
            size="sm"
            disabled={isBusy}
            aria-label={`Block ${address} for ${text}`}
            onClick={() => void put("blocklist", ms, reason)}
            className="not-first:-ml-px not-first:rounded-l-none not-last:rounded-r-none hover:text-blocked"
          >
            {text}
          </Button>
        ))}
      </span>
      <IconButton
        label={`Safelist ${address} for 1 week`}
        size="sm"
        variant="secondary"
        disabled={isBusy}
        icon={<ShieldCheck />}
        onClick={() => void put("safelist", 168 * hourMs, reason)}
      />
    </span>
  );
}
