import type { Metadata } from "next";
import { readCustomersUrl, readOf } from "@/components/customers/directory/customers-url.ts";
import { CustomersView } from "@/components/customers/directory/customers-view.tsx";
import { getCustomers } from "@/lib/console/customers/customer-reads.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";

export const metadata: Metadata = { title: "Customers" };

export default async function Customers({ searchParams }: { searchParams: PageSearch }) {
  await requireSignedIn();
  const rows = readOf(readCustomersUrl(await readPageSearch(searchParams)), 0);
  return (
    <Prefetched reads={[pageRead(rows, getCustomers, {})]}>
      <CustomersView />
    </Prefetched>
  );
}
