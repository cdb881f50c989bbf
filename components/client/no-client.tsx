import { SearchX } from "lucide-react";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";

/** Page for an invalid client, after a broken link or an edited URL. */
export function NoClient({ text, reason }: { text: string; reason: string }) {
  const shown = text.replace(/[^ -~]/g, "\ufffd").slice(0, 60);
  return (
    <>
      <PageHeader title="Client" back={{ href: "/offenders", label: "Offenders" }} />
      <EmptyState
        icon={<SearchX />}
        title={`"${shown}" is not a client`}
        hint={`${reason}.`}
        action={<LinkButton href="/offenders">Open offenders</LinkButton>}
      />
    </>
  );
}
