"use client";

import { Plus, UsersRound } from "lucide-react";
import { useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { LivePage } from "@/components/console/live-page.tsx";
import { OlderNodes } from "@/components/console/older-nodes.tsx";
import { useLiveQuery } from "@/components/console/use-live.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
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
      <LivePage
        title="Overrides"
        facts={(found) =>
          `${counted(found.overrides.length, "override")} of groups and patterns · a customer's own override always wins`
        }
        actions={
          <>
            {mayChange && data && (
              <Button variant="primary" icon={<Plus />} onClick={() => setEdited("new")}>
                Add override
              </Button>
            )}
            <AskButton needs="customers" kind="change" target="overrides of groups and patterns" />
          </>
        }
        read={read}
        name="the overrides"
        rows={{ rows: 6, columns: [4, 3, 4, 2, 2], rowHeight: 46, hasHead: true }}
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
      >
        {(found) => <OverrideList found={found} mayChange={mayChange} onEdit={setEdited} />}
      </LivePage>
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
      <OlderNodes nodes={olderNodes} without="these overrides">
        run an older version and ignore them. Update their app.
      </OlderNodes>
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
