"use client";

import { Search, UserPlus } from "lucide-react";
import { ReadState } from "@/components/console/read-state.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { CustomersPage } from "@/lib/queries/customers.ts";
import { CustomersTable } from "./customers-table.tsx";
import type { CustomersUrl } from "./customers-url.ts";
import { GroupChips } from "./group-chips.tsx";
import { NewCustomer, NoCustomerYet } from "./new-customer.tsx";
import { SearchBox } from "./search-box.tsx";
import { type CustomersNow, useCustomers } from "./use-customers.ts";
import { useCustomersUrl } from "./use-customers-url.ts";

/** Everybody with a tier or levels of their own, found by how the id begins. */
export function CustomersView() {
  const [url, change] = useCustomersUrl();
  const found = useCustomers(url);
  const { page } = found;
  return (
    <>
      <PageHeader title="Customers" facts={page && sayFound(page, url)} />
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox url={url} change={change} />
        {page && <GroupChips page={page} url={url} change={change} />}
      </div>
      {page?.isNewId && page.total > 0 && !found.isBehind && <NewCustomer id={url.search} />}
      <Found url={url} change={change} found={found} />
    </>
  );
}

function sayFound({ counts }: CustomersPage, { search }: CustomersUrl) {
  const count = counts.all ?? 0;
  if (search === "") return `${counted(count, "customer")} with a tier or a custom throttle`;
  return (
    <>
      {counted(count, "customer")} whose id begins with <Untrusted text={search} max={64} />
    </>
  );
}

interface UrlProps {
  url: CustomersUrl;
  change: (next: CustomersUrl) => void;
}

function Found({ url, change, found }: UrlProps & { found: CustomersNow }) {
  return (
    <ReadState
      read={found.read}
      name="the customers"
      skeleton={<CustomersTable url={url} found={found} />}
      empty={(page) =>
        page.total === 0 ? <NoCustomers {...{ url, change, page }} isBehind={found.isBehind} /> : undefined
      }
      isFramed
    >
      {() => <CustomersTable url={url} found={found} />}
    </ReadState>
  );
}

interface NoCustomersProps extends UrlProps {
  page: CustomersPage;
  /** The answer is for another search. */
  isBehind: boolean;
}

function NoCustomers({ url, change, page, isBehind }: NoCustomersProps) {
  if (page.isNewId && !isBehind) return <NoCustomerYet id={url.search} />;
  const isFiltered = url.search !== "" || url.group !== "all";
  if (isFiltered)
    return (
      <EmptyState
        icon={<Search />}
        title="No matches"
        hint={
          url.search === ""
            ? "This group is empty."
            : "The search compares the beginning of ids, in lower or upper case."
        }
        action={<Button onClick={() => change({ search: "", group: "all" })}>Show all</Button>}
      />
    );
  return (
    <EmptyState
      icon={<UserPlus />}
      title="No customers with a tier or a custom throttle"
      hint="Other customers are counted by address. Enter a customer id above to assign a tier."
    />
  );
}
