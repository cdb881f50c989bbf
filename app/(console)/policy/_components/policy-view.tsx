"use client";

import { ListTree } from "lucide-react";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { usePolicy } from "../_draft/use-policy.ts";
import { PolicyDesk } from "./policy-desk.tsx";

interface PolicyViewProps {
  mayChange: boolean;
  /** For whoever may not: who may. */
  whoMay: string;
}

/** What is counted and how much is let through: looked at, tried, changed, and brought back. */
export function PolicyView({ mayChange, whoMay }: PolicyViewProps) {
  const { editor, error, staleSince, ask } = usePolicy(mayChange);
  if (!editor) return error ? <Unread message={error.message} onAsk={ask} /> : <Loading />;
  return (
    <PolicyDesk
      editor={editor}
      notices={
        <>
          {staleSince !== undefined && (
            <Banner
              tone="throttled"
              title="The policy cannot be read now"
              actions={<Button onClick={ask}>Try again</Button>}
            >
              What is shown was read <Timestamp at={staleSince} />. A draft is kept.
            </Banner>
          )}
          {editor.now.problem !== undefined && (
            <Banner
              tone="blocked"
              title={`Version ${editor.now.version} is obeyed, not what stands in Redis`}
            >
              {editor.now.problem}.
            </Banner>
          )}
          {!mayChange && (
            <Banner tone="plain" title="You can look here, not change">
              The policy is changed by {whoMay}. Looking for a limit changes nothing, so that is open to you.
            </Banner>
          )}
        </>
      }
    />
  );
}

function Unread({ message, onAsk }: { message: string; onAsk: () => void }) {
  return (
    <>
      <PageHeader title="Policy" />
      <EmptyState
        icon={<ListTree />}
        title="The policy cannot be read now"
        hint={message}
        action={<Button onClick={onAsk}>Try again</Button>}
      />
    </>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      <PageHeader title="Policy" facts="Loading" />
      <Card>
        <Skeleton className="h-72 w-full" />
      </Card>
      <Card>
        <Skeleton className="h-56 w-full" />
      </Card>
    </div>
  );
}
