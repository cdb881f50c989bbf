import { SearchX } from "lucide-react";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { LinkButton } from "../../../../components/ui/link-button.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";

/** Somebody changed the address of the page, or followed a broken link. */
export function NoClient({ text, reason }: { text: string; reason: string }) {
  const shown = text.replace(/[^ -~]/g, "\ufffd").slice(0, 60);
  return (
    <>
      <PageHeader title="Client" back={{ href: "/offenders", label: "Offenders" }} />
      <EmptyState
        icon={<SearchX />}
        title={`"${shown}" is no client`}
        hint={`${reason}.`}
        action={<LinkButton href="/offenders">To the offenders</LinkButton>}
      />
    </>
  );
}
