import { UserX } from "lucide-react";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { LinkButton } from "../../../../components/ui/link-button.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";

export default function NoSuchCustomer() {
  return (
    <>
      <PageHeader title="No such customer" back={{ href: "/customers", label: "Customers" }} />
      <EmptyState
        icon={<UserX />}
        title="No customer can be called so"
        hint="A customer id has letters, digits and _ . @ - only, at most 64 of them."
        action={<LinkButton href="/customers">Search customers</LinkButton>}
      />
    </>
  );
}
