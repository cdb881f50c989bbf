"use client";

import { ChevronDown } from "lucide-react";
import { Button } from "../../../../components/ui/button.tsx";
import { Menu } from "../../../../components/ui/menu.tsx";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import { unitMs } from "../composer/expiry.ts";

interface LapseActionsProps {
  readonly entry: ListedEntry;
  readonly isLapsing: boolean;
  readonly mayForever: boolean;
  readonly onExtend: (entry: ListedEntry, forMs: number | null) => void;
  readonly onLapse: (entry: ListedEntry) => void;
}

const aMonth = 30 * unitMs.d;

/** What ends soon asks for a decision: a little longer, much longer, or let it go. */
export function LapseActions({ entry, isLapsing, mayForever, onExtend, onLapse }: LapseActionsProps) {
  const name = entry.address;
  if (isLapsing) {
    return (
      <span className="flex items-center justify-end gap-2">
        <span className="text-text-3">left to lapse</span>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Ask again about ${name}`}
          onClick={() => onLapse(entry)}
        >
          Ask again
        </Button>
      </span>
    );
  }
  return (
    <span className="flex items-center justify-end gap-1">
      <Button size="sm" aria-label={`Extend ${name} by 24 hours`} onClick={() => onExtend(entry, unitMs.d)}>
        +24h
      </Button>
      <Button size="sm" aria-label={`Extend ${name} by 1 week`} onClick={() => onExtend(entry, unitMs.w)}>
        +1w
      </Button>
      <Menu
        label={`Escalate ${name}`}
        trigger={
          <Button size="sm" aria-label={`Escalate ${name}`} className="gap-1">
            More
            <ChevronDown className="size-3" />
          </Button>
        }
        items={[
          { label: "Extend 1 month", onSelect: () => onExtend(entry, aMonth) },
          ...(mayForever ? [{ label: "Never expire", onSelect: () => onExtend(entry, null) }] : []),
        ]}
      />
      <Button size="sm" variant="ghost" aria-label={`Let ${name} lapse`} onClick={() => onLapse(entry)}>
        Let lapse
      </Button>
    </span>
  );
}
