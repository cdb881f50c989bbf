"use client";

import { Search, UserPlus, Users } from "lucide-react";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { counted } from "../../../../components/ui/count-text.ts";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { CustomersPage } from "../../../../lib/queries/customers.ts";
import type { CustomersUrl } from "../customers-url.ts";
import { type CustomersNow, useCustomers } from "../use-customers.ts";
import { useCustomersUrl } from "../use-customers-url.ts";
import { CustomersTable } from "./customers-table.tsx";
import { GroupChips } from "./group-chips.tsx";
import { NewCustomer, NoCustomerYet } from "./new-customer.tsx";
import { SearchBox } from "./search-box.tsx";

/** Everybody with a tier or levels of their own, found by how the id begins. */
export function CustomersView() {
  const [url, change] = useCustomersUrl();
  const found = useCustomers(url);
  const { page, staleSince } = found;
  return (
    <>
      <PageHeader title="Customers" facts={page && sayFound(page, url)} />
      {staleSince !== undefined && (
        <Banner
          tone="throttled"
          title="The customers cannot be read now"
          actions={<Button onClick={found.ask}>Try again</Button>}
        >
          What is shown was read <Timestamp at={staleSince} />.
        </Banner>
      )}
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
  const { page, error } = found;
  if (error && !page)
    return (
      <EmptyState
        icon={<Users />}
        title="The customers cannot be read now"
        hint={error.message}
        action={<Button onClick={found.ask}>Try again</Button>}
      />
    );
  if (page?.total !== 0) return <CustomersTable url={url} found={found} />;
  if (page.isNewId && !found.isBehind) return <NoCustomerYet id={url.search} />;
  const isFiltered = url.search !== "" || url.group !== "all";
  if (isFiltered)
    return (
      <EmptyState
        icon={<Search />}
        title="No customer is found"
        hint={
          url.search === ""
            ? "Nobody is in this group now."
            : "Ids are found by how they begin, in small or capital letters."
        }
        action={<Button onClick={() => change({ search: "", group: "all" })}>Show all</Button>}
      />
    );
  return (
    <EmptyState
      icon={<UserPlus />}
      title="No customer has a tier or a custom throttle yet"
      hint="Whoever has neither is counted by address. Type the id of a customer above to give it a tier."
    />
  );
}
