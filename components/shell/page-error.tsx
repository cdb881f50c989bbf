"use client";

import { DatabaseZap, RefreshCw, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";

/** A page that failed to load. After an outage it loads again automatically. */
export function PageError({ retry }: { retry: () => void }) {
  const { known, trouble } = useStanding();
  // A page that fails to load may arrive before the status.
  useOnceAnswered(trouble !== undefined || known === undefined, retry);
  return (
    <>
      <PageHeader title={trouble ? "This page is waiting" : "This page failed to load"} />
      <Card>
        {trouble ? (
          <EmptyState
            icon={<DatabaseZap />}
            title={trouble.message}
            hint="This page loads automatically as soon as there is an answer."
            action={<RetryButton onRetry={retry} />}
          />
        ) : (
          <EmptyState
            icon={<TriangleAlert />}
            title="The console failed to render this page"
            hint="Nothing was changed. For the cause, see the console's log."
            action={<RetryButton onRetry={retry} />}
          />
        )}
      </Card>
    </>
  );
}

/** Runs each time an outage ends. */
function useOnceAnswered(isAway: boolean, run: () => void): void {
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway) run();
    wasAway.current = isAway;
  }, [isAway, run]);
}

function RetryButton({ onRetry }: { onRetry: () => void }) {
  return (
    <Button icon={<RefreshCw />} onClick={onRetry}>
      Retry
    </Button>
  );
}
