"use client";

import { TriangleAlert } from "lucide-react";
import { Chip } from "@/components/ui/chip.tsx";
import type { CustomersPage } from "@/lib/queries/customers.ts";
import { sayTier } from "../level-words.ts";
import type { CustomersUrl } from "./customers-url.ts";

interface GroupChipsProps {
  page: CustomersPage;
  url: CustomersUrl;
  change: (next: CustomersUrl) => void;
}

/** Tiers of the policy, those that it does not know, and what else tells customers apart, with how many there are. */
export function GroupChips({ page: { counts, tiers }, url, change }: GroupChipsProps) {
  const known = tiers.map((name) => `tier:${name}`);
  const foreign = Object.keys(counts).filter((group) => group.startsWith("tier:") && !known.includes(group));
  const chip = (group: string, name: string) => (
    <Chip
      key={group}
      isOn={url.group === group}
      count={counts[group] ?? 0}
      icon={group === "not-obeyed" ? <TriangleAlert className="size-3.5" /> : undefined}
      onClick={() => change({ ...url, group: url.group === group ? "all" : group })}
    >
      {name}
    </Chip>
  );
  return (
    <fieldset
      aria-label="Groups"
      className="flex min-w-0 flex-wrap items-center gap-2 max-sm:-mx-4 max-sm:w-screen max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:py-0.5"
    >
      {chip("all", "All")}
      {[...known, ...foreign.slice(0, 8)].map((group) => chip(group, sayTier(group.slice("tier:".length))))}
      {chip("no-tier", "No tier")}
      {chip("own-levels", "Custom throttle")}
      {(counts["not-obeyed"] ?? 0) > 0 && chip("not-obeyed", "Not enforced")}
    </fieldset>
  );
}
