"use client";

import { Check, ChevronDown } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { unitMs } from "../composer/expiry.ts";
import type { RowProps } from "../rows/rows-view.ts";

const aMonth = 30 * unitMs.d;

/** Buttons of an entry that expires soon: extend it, or let it expire. */
export function LapseActions({ entry, isLapsing, mayForever, acts }: RowProps) {
  const name = entry.address;
  const extend = (forMs: number | null) => acts.current.extend(entry, forMs);
  const lapse = () => acts.current.lapse(entry);
  if (isLapsing) {
    return (
      <span className="flex items-center justify-end gap-2">
        <span className="flex items-center gap-1 text-text-2">
          <Check className="size-3.5" />
          will expire
        </span>
        <Button size="sm" variant="ghost" aria-label={`Ask again about ${name}`} onClick={lapse}>
          Ask again
        </Button>
      </span>
    );
  }
  return (
    <span className="flex items-center justify-end gap-1">
      <Button size="sm" aria-label={`+24h for ${name}`} onClick={() => extend(unitMs.d)}>
        +24h
      </Button>
      <Button size="sm" aria-label={`+1w for ${name}`} onClick={() => extend(unitMs.w)}>
        +1w
      </Button>
      <Menu
        label={`More for ${name}`}
        trigger={
          <Button size="sm" aria-label={`More for ${name}`} className="gap-1">
            More
            <ChevronDown className="size-3" />
          </Button>
        }
        items={[
          { label: "Extend 1 month", onSelect: () => extend(aMonth) },
          ...(mayForever ? [{ label: "Never expire", onSelect: () => extend(null) }] : []),
        ]}
      />
      <Button size="sm" variant="ghost" aria-label={`Let expire ${name}`} onClick={lapse}>
        Let expire
      </Button>
    </span>
  );
}
