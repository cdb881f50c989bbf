import {
  Check,
  ChevronDown,
  Clock,
  Copy,
  History,
  InfinityIcon,
  Radar,
  ShieldCheck,
  Tag,
  Trash2,
} from "lucide-react";
import { useCopy } from "@/components/console/use-copy.ts";
import { Button } from "@/components/ui/button.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { unitMs } from "../composer/expiry.ts";
import type { RowProps } from "../rows/rows-view.ts";

/** Actions of one entry. */
export function RowMenu(row: RowProps) {
  const { list, entry, mayChange, acts } = row;
  const copy = useCopy();
  const { address } = entry;
  const items: readonly MenuItem[] = [
    ...(mayChange ? extensions(row) : []),
    ...(mayChange ? [{ label: "Edit tags", icon: <Tag />, onSelect: () => acts.current.tag(entry) }] : []),
    { label: "Copy address", icon: <Copy />, onSelect: () => copy(address) },
    { label: "History", icon: <History />, onSelect: () => acts.current.history(entry) },
    ...(entry.isRange
      ? []
      : [{ label: "Explain this client", icon: <Radar />, href: `/clients/${encodeURIComponent(address)}` }]),
    ...(mayChange && list === "blocklist"
      ? [
          {
            label: "Safelist instead",
            icon: <ShieldCheck />,
            href: `/safelist?add=${encodeURIComponent(address)}`,
          },
        ]
      : []),
    ...(mayChange
      ? [{ label: "Remove", icon: <Trash2 />, isDanger: true, onSelect: () => acts.current.remove(entry) }]
      : []),
  ];
  return <Menu label={`Actions for ${address}`} items={items} />;
}

function extensions({ entry, mayForever, acts }: RowProps): readonly MenuItem[] {
  if (entry.expiresAt === null) return [];
  const item = (label: string, forMs: number | null): MenuItem => ({
    label,
    icon: forMs === null ? <InfinityIcon /> : <Clock />,
    onSelect: () => acts.current.extend(entry, forMs),
  });
  return [
    item("Extend 1 hour", unitMs.h),
    item("Extend 24 hours", unitMs.d),
    item("Extend 1 week", unitMs.w),
    ...(mayForever ? [item("Never expire", null)] : []),
  ];
}

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
