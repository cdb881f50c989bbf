"use client";

import { Search, UserPlus } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { ReadState } from "@/components/console/read-state.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { CustomersPage } from "@/lib/queries/customers.ts";
import { GroupChips, SearchBox } from "./customers-filter.tsx";
import { CustomersTable } from "./customers-table.tsx";
import { type CustomersUrl, readCustomersUrl, type UrlProps, writeCustomersUrl } from "./customers-url.ts";
import { useCustomers } from "./use-customers.ts";

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
      <ReadState
        read={found.read}
        name="the customers"
        skeleton={<CustomersTable url={url} found={found} />}
        empty={(shown) =>
          shown.total === 0 ? (
            <NoCustomers {...{ url, change }} page={shown} isBehind={found.isBehind} />
          ) : undefined
        }
        isFramed
      >
        {() => <CustomersTable url={url} found={found} />}
      </ReadState>
    </>
  );
}

function sayFound({ counts }: CustomersPage, { search }: CustomersUrl) {
  const count = counts.all ?? 0;
  if (search === "") return `${counted(count, "customer")} with a tier or a custom throttle, or suspended`;
  return (
    <>
      {counted(count, "customer")} whose id begins with <Untrusted text={search} max={64} />
    </>
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

const hint =
  "Without a tier and a custom throttle, the limits of the default tier apply. Without a default tier, limits for anonymous clients count the customer by its id.";

/** An id of which nothing is known yet, beside others that begin like it. */
function NewCustomer({ id }: { id: string }) {
  return (
    <Banner tone="plain" icon={<UserPlus />} title={<Unknown id={id} />} actions={<Open id={id} />}>
      {hint}
    </Banner>
  );
}

/** The same, if no other id begins like it. A customer is created with its first tier or levels. */
function NoCustomerYet({ id }: { id: string }) {
  return <EmptyState icon={<UserPlus />} title={<Unknown id={id} />} hint={hint} action={<Open id={id} />} />;
}

function Unknown({ id }: { id: string }) {
  return (
    <>
      Customer <Untrusted text={id} max={64} /> has no tier and no custom throttle
    </>
  );
}

function Open({ id }: { id: string }) {
  return <LinkButton href={`/customers/${encodeURIComponent(id)}`}>Open this customer</LinkButton>;
}

/** What the address bar says, and how to change it without asking the server for the page again. */
function useCustomersUrl(): readonly [CustomersUrl, (next: CustomersUrl) => void] {
  const pathname = usePathname();
  const url = readCustomersUrl(useSearchParams());
  const change = (next: CustomersUrl) => {
    const path = `${pathname}${writeCustomersUrl(next)}`;
    // Back leads to the group before this one, not through every letter.
    if (next.group === url.group) window.history.replaceState(null, "", path);
    else window.history.pushState(null, "", path);
  };
  return [url, change];
}
