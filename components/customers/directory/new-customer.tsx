import { UserPlus } from "lucide-react";
import { Banner } from "@/components/ui/banner.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";

const hint =
  "Without a tier and a custom throttle, the limits of the default tier apply. Without a default tier, limits for anonymous clients count the customer by its id.";

/** An id of which nothing is known yet, beside others that begin like it. */
export function NewCustomer({ id }: { id: string }) {
  return (
    <Banner tone="plain" icon={<UserPlus />} title={<Unknown id={id} />} actions={<Open id={id} />}>
      {hint}
    </Banner>
  );
}

/** The same, if no other id begins like it. A customer is created with its first tier or levels. */
export function NoCustomerYet({ id }: { id: string }) {
  return <EmptyState icon={<UserPlus />} title={<Unknown id={id} />} hint={hint} action={<Open id={id} />} />;
}

function Unknown({ id }: { id: string }) {
  return (
    <>
      No data of customer <Untrusted text={id} max={64} />
    </>
  );
}

function Open({ id }: { id: string }) {
  return <LinkButton href={`/customers/${encodeURIComponent(id)}`}>Open this customer</LinkButton>;
}
