"use client";

import { DatabaseZap, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useStanding } from "../../components/shell/status.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { PageHeader } from "../../components/ui/page-header.tsx";

/** A page that could not be drawn. If that was for want of Redis, it comes up by itself. */
export default function PageError({ retry }: { retry: () => void }) {
  const { trouble } = useStanding();
  useOnceOver(trouble !== undefined, retry);
  return (
    <>
      <PageHeader title={trouble ? "This page waits" : "This page did not come up"} />
      <Card>
        {trouble ? (
          <EmptyState
            icon={<DatabaseZap />}
            title={trouble.message}
            hint="The page comes up by itself as soon as there is an answer."
          />
        ) : (
          <EmptyState
            icon={<TriangleAlert />}
            title="Something went wrong while this page was drawn"
            hint="Nothing was changed. The console's log says why."
            action={<Button onClick={retry}>Try again</Button>}
          />
        )}
      </Card>
    </>
  );
}

/** Runs once when what was so is over. */
function useOnceOver(isSo: boolean, run: () => void): void {
  const wasSo = useRef(isSo);
  useEffect(() => {
    if (wasSo.current && !isSo) run();
    wasSo.current = isSo;
  }, [isSo, run]);
}
