"use client";

import { Plus, UsersRound } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { PauseButton } from "@/components/console/pause-button.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { type OverrideRow, type OverridesReply, overrides } from "@/lib/queries/overrides.ts";
import { OverrideItem } from "./override-item.tsx";

const OverrideDialog = lazyDialog(() =>
  import("./override-dialog.tsx").then((found) => found.OverrideDialog),
);
const everyMs = 5_000;

/** Limits of groups of customers and of patterns of their ids: who has them, and when they were last used. */
export function OverridesView({ mayChange }: { mayChange: boolean }) {
  const read = useLiveQuery(overrides(), everyMs);
  const [edited, setEdited] = useState<OverrideRow | "new">();
  const { data } = read;
  return (
    <>
      <PageHeader
        title="Overrides"
        facts={
          data && (
            <span>
              {counted(data.overrides.length, "override")} of groups and patterns · a customer's own override
              always wins
            </span>
          )
        }
        actions={
          <>
            <PauseButton />
            {mayChange && data && (
              <Button variant="primary" icon={<Plus />} onClick={() => setEdited("new")}>
                Add override
              </Button>
            )}
          </>
        }
      />
      <ReadState
        read={read}
        name="the overrides"
        skeleton={
          <Card isFlush>
            <RowsSkeleton rows={6} columns={[4, 3, 4, 2, 2]} rowHeight={46} hasHead />
          </Card>
        }
        consequence="Nodes keep enforcing the overrides that they have."
        empty={(found) =>
          found.overrides.length > 0 ? undefined : (
            <EmptyState
              icon={<UsersRound />}
              title="No overrides of groups or patterns"
              hint="An override gives limits, or a tier, to a group of customers, or to all whose id matches a pattern such as premium_*."
            />
          )
        }
        isFramed
      >
        {(found) => <OverrideList found={found} mayChange={mayChange} onEdit={setEdited} />}
      </ReadState>
      {edited !== undefined && data && (
        <OverrideDialog
          override={edited === "new" ? undefined : edited}
          found={data}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

interface OverrideListProps {
  found: OverridesReply;
  mayChange: boolean;
  onEdit: (override: OverrideRow) => void;
}

function OverrideList({ found: { overrides, olderNodes }, mayChange, onEdit }: OverrideListProps) {
  return (
    <div className="flex flex-col gap-3">
      {olderNodes.length > 0 && (
        <Banner tone="throttled" title={`${counted(olderNodes.length, "node")} without these overrides`}>
          <Untrusted text={olderNodes.slice(0, 5).join(", ")} max={300} /> run an older version and ignore
          them. Update their app.
        </Banner>
      )}
      <Card isFlush>
        <ul aria-label="Overrides" className="divide-y divide-border">
          {overrides.map((one) => (
            <OverrideItem key={one.name} override={one} mayChange={mayChange} onEdit={() => onEdit(one)} />
          ))}
        </ul>
      </Card>
      <p className="text-cell text-text-3">
        In the order in which they win: groups by name, then the pattern with most letters. Last used is known
        to the minute.
      </p>
    </div>
  );
}
