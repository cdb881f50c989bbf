import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CustomerScreen } from "@/components/customers/customer-screen.tsx";
import { getLinks, getNotes } from "@/lib/console/clients/note-reads.ts";
import { getCustomerAddresses } from "@/lib/console/customers/customer-addresses.ts";
import { getCustomerDay } from "@/lib/console/customers/customer-day.ts";
import { customerOfPath, getCustomer } from "@/lib/console/customers/customer-reads.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { customerNow } from "@/lib/queries/customer.ts";
import { customerDay } from "@/lib/queries/customer-day.ts";
import { links } from "@/lib/queries/links.ts";
import { notes } from "@/lib/queries/notes.ts";
import { customerAddresses } from "@/lib/queries/owners.ts";

interface CustomerPageProps {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: CustomerPageProps): Promise<Metadata> {
  const id = customerOfPath((await params).id);
  return { title: id ? `Customer ${id}` : "No such customer" };
}

/** One customer: its tier, limits and usage, and a preview of changes. */
export default async function CustomerPage({ params }: CustomerPageProps) {
  const { role } = await requireSignedIn();
  const id = customerOfPath((await params).id);
  if (id === undefined) notFound();
  const reads = [
    pageRead(customerNow(id), getCustomer, { id }),
    pageRead(customerAddresses(id), getCustomerAddresses, { id }),
    pageRead(customerDay(id), getCustomerDay, { id }),
    pageRead(links(), getLinks, {}),
    pageRead(notes({ kind: "customer", id }), getNotes, { kind: "customer", id }),
  ];
  return (
    <Prefetched reads={reads}>
      <CustomerScreen
        key={id}
        id={id}
        mayChange={may(role, "customers")}
        mayNote={may(role, "customer-notes")}
        whoMay={rolesThatMay("customers")}
        mayBlock={may(role, "lists")}
        whoMayBlock={rolesThatMay("lists")}
      />
    </Prefetched>
  );
}
