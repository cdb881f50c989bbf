"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { Input } from "@/components/ui/input.tsx";
import type { CustomersPage } from "@/lib/queries/customers.ts";
import { type CustomersUrl, readOf } from "./customers-url.ts";
import { useTypedSearch } from "./use-customers-url.ts";

interface SearchBoxProps {
  url: CustomersUrl;
  change: (next: CustomersUrl) => void;
}

/** Enter opens the customer that is meant: the id itself, or the only one that is left; without a match, a new one. */
export function SearchBox({ url, change }: SearchBoxProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [typed, type] = useTypedSearch(url, change);
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
