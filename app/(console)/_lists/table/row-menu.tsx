"use client";

import { Clock, Copy, History, InfinityIcon, Radar, ShieldCheck, Trash2 } from "lucide-react";
import { Menu, type MenuItem } from "../../../../components/ui/menu.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { unitMs } from "../composer/expiry.ts";

export interface RowMenuProps {
  readonly list: ListName;
  readonly entry: ListedEntry;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly onExtend: (entry: ListedEntry, forMs: number | null) => void;
  readonly onRemove: (entry: ListedEntry) => void;
  readonly onHistory: (entry: ListedEntry) => void;
}

/** Everything that can be done with one entry. */
export function RowMenu(props: RowMenuProps) {
  const { list, entry, mayChange, onHistory, onRemove } = props;
  const copy = useCopy();
  const items: readonly MenuItem[] = [
    ...(mayChange ? extensions(props) : []),
    { label: "Copy address", icon: <Copy />, onSelect: () => copy(entry.address) },
    { label: "History", icon: <History />, onSelect: () => onHistory(entry) },
    ...(entry.isRange
      ? []
      : [{ label: "Why is it treated so?", icon: <Radar />, href: `/clients/${entry.address}` }]),
    ...(mayChange && list === "blocklist"
      ? [
          {
            label: "Safelist instead",
            icon: <ShieldCheck />,
            href: `/safelist?add=${encodeURIComponent(entry.address)}`,
          },
        ]
      : []),
    ...(mayChange
      ? [{ label: "Remove", icon: <Trash2 />, isDanger: true, onSelect: () => onRemove(entry) }]
      : []),
  ];
  return <Menu label={`Actions for ${entry.address}`} items={items} />;
}

function extensions({ entry, mayForever, onExtend }: RowMenuProps): readonly MenuItem[] {
  if (entry.expiresAt === null) return [];
  const item = (label: string, forMs: number | null): MenuItem => ({
    label,
    icon: forMs === null ? <InfinityIcon /> : <Clock />,
    onSelect: () => onExtend(entry, forMs),
  });
  return [
    item("Extend 1 hour", unitMs.h),
    item("Extend 24 hours", unitMs.d),
    item("Extend 1 week", unitMs.w),
    ...(mayForever ? [item("Never expire", null)] : []),
  ];
}

function useCopy(): (text: string) => void {
  const toast = useToast();
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: "plain", title: `Copied ${text}` }),
      () =>
        toast({
          tone: "plain",
          title: "Not copied",
          detail: "This browser does not let the page copy here.",
        }),
    );
  };
}
