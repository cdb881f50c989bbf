import { UserX } from "lucide-react";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";

export default function NoSuchCustomer() {
  return (
    <>
      <PageHeader title="No such customer" back={{ href: "/customers", label: "Customers" }} />
      <EmptyState
        icon={<UserX />}
        title="This is not a customer id"
        hint="A customer id has at most 64 characters: letters, digits and _ . @ -"
        action={<LinkButton href="/customers">Search customers</LinkButton>}
      />
    </>
  );
}
