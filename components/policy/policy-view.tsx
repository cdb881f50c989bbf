"use client";

import { AskButton } from "@/components/console/ask-button.tsx";
import { ReadState, StaleNote, useStaleSince } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { usePolicy } from "./draft/use-policy.ts";
import { PolicyDesk } from "./policy-desk.tsx";

interface PolicyViewProps {
  mayChange: boolean;
  /** Roles that may change the policy. Shown to other roles. */
  whoMay: string;
}

/** Shows the policy. Users with the permission change it and roll it back. */
export function PolicyView({ mayChange, whoMay }: PolicyViewProps) {
  const read = usePolicy(mayChange);
  const staleSince = useStaleSince(read);
  return (
    <>
      {!read.data && <PageHeader title="Policy" />}
      <ReadState
        read={read}
        name="the policy"
        skeleton={<PolicySkeleton />}
        consequence="Nodes enforce the last version they have read."
        isFramed
        hasOwnNote
      >
        {(editor) => (
          <PolicyDesk editor={editor}>
            {staleSince !== undefined && (
              <div>
                <StaleNote since={staleSince} onRetry={() => void read.refetch()} />
              </div>
            )}
            {editor.now.problem !== undefined && (
              <Banner
                tone="blocked"
                title={`The policy in Redis is invalid. Version ${editor.now.version} is in force`}
              >
                {editor.now.problem}.
              </Banner>
            )}
            {!mayChange && (
              <Banner
                tone="plain"
                title="Read-only"
                actions={<AskButton needs="policy" kind="change" target="the policy" />}
              >
                Only {whoMay} can change the policy. You can use the limit finder, because it changes nothing.
              </Banner>
            )}
          </PolicyDesk>
        )}
      </ReadState>
    </>
  );
}

function PolicySkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <Card title="Rules" isFlush>
        <RowsSkeleton rows={5} columns={[2, 3, 4, 2]} rowHeight={44} />
      </Card>
      <Card title="Find the right limit">
        <Skeleton className="h-56 w-full" />
      </Card>
    </div>
  );
}
