"use client";

import { Clock, Copy, History, InfinityIcon, Radar, ShieldCheck, Trash2 } from "lucide-react";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import type { ListEntry } from "@/lib/queries/entries.ts";
import { unitMs } from "../composer/expiry.ts";
import type { RowProps } from "../rows/rows-view.ts";

/** Actions of one entry. */
export function RowMenu({ list, entry, mayChange, mayForever, acts }: RowProps) {
  const copy = useCopy();
  const { address } = entry;
  const items: readonly MenuItem[] = [
    ...(mayChange ? extensions(entry, mayForever, acts) : []),
    { label: "Copy address", icon: <Copy />, onSelect: () => copy(address) },
    { label: "History", icon: <History />, onSelect: () => acts.current.history(entry) },
    ...(entry.isRange ? [] : [{ label: "Explain this client", icon: <Radar />, href: clientPath(address) }]),
    ...(mayChange && list === "blocklist" ? [safelisting(address)] : []),
    ...(mayChange ? [removal(entry, acts)] : []),
  ];
  return <Menu label={`Actions for ${address}`} items={items} />;
}

type Acts = RowProps["acts"];

function extensions(entry: ListEntry, mayForever: boolean, acts: Acts): readonly MenuItem[] {
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

function safelisting(address: string): MenuItem {
  const href = `/safelist?add=${encodeURIComponent(address)}`;
  return { label: "Safelist instead", icon: <ShieldCheck />, href };
}

function removal(entry: ListEntry, acts: Acts): MenuItem {
  return { label: "Remove", icon: <Trash2 />, isDanger: true, onSelect: () => acts.current.remove(entry) };
}

function clientPath(address: string): string {
  return `/clients/${encodeURIComponent(address)}`;
}

function useCopy(): (text: string) => void {
  const toast = useToast();
  return (text) => {
    navigator.clipboard.writeText(text).then(
      () => toast({ tone: "plain", title: `Copied ${text}` }),
      () =>
        toast({
          tone: "plain",
          title: "Failed to copy",
          detail: "The browser does not allow the page to copy here.",
        }),
    );
  };
}
