import type { Metadata } from "next";
import { requireSignedIn } from "../../_server/session.ts";
import { CustomersView } from "./_components/customers-view.tsx";

export const metadata: Metadata = { title: "Customers" };

export default async function Customers() {
  await requireSignedIn();
  return <CustomersView />;
}
