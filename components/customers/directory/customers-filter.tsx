"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Search, TriangleAlert } from "lucide-react";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { useTypedSearch } from "@/components/console/use-typed-search.ts";
import { Chip } from "@/components/ui/chip.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { CustomersPage } from "@/lib/queries/customers.ts";
import { sayTier } from "../customer-words.ts";
import { readCustomersUrl, readOf, type UrlProps } from "./customers-url.ts";

/** Enter opens the customer that is meant: the id itself, or the only one that is left; without a match, a new one. */
export function SearchBox({ url, change }: UrlProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [typed, type] = useTypedSearch(
    url.search,
    (address) => readCustomersUrl(address).search,
    (search) => change({ ...url, search }),
  );
  const open = async (event: FormEvent) => {
    event.preventDefault();
    const asked = { ...url, search: typed.trim() };
    // The table may still be behind what was typed; the table shows a failed read.
    const page = await client.fetchQuery(readOf(asked, 0)).catch(() => undefined);
    const id = page && meant(page, asked.search);
    if (id) router.push(`/customers/${encodeURIComponent(id)}`);
  };
  return (
    <form onSubmit={open} className="w-72 max-w-full max-sm:w-full">
      <Input
        aria-label="Search customers by id"
        icon={<Search />}
        placeholder="Customer id or its beginning"
        type="search"
        maxLength={64}
        spellCheck={false}
        autoCapitalize="none"
        value={typed}
        onChange={({ target }) => type(target.value)}
      />
    </form>
  );
}

function meant({ customers, total, isNewId }: CustomersPage, search: string): string | undefined {
  if (customers.some(({ id }) => id === search)) return search;
  return isNewId && total === 0 ? search : total === 1 ? customers[0]?.id : undefined;
}

/** Tiers of the policy, those that it does not know, and what else tells customers apart, with how many there are. */
export function GroupChips({ page, url, change }: UrlProps & { page: CustomersPage }) {
  const { counts, tiers } = page;
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
      {chip("suspended", "Suspended")}
      {(counts["not-obeyed"] ?? 0) > 0 && chip("not-obeyed", "Not enforced")}
    </fieldset>
  );
}
