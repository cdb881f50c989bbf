"use client";

import { Asterisk, Pencil, Trash2, UsersRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Countdown } from "@/components/ui/countdown.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { removeOverride } from "@/lib/console/actions/overrides.ts";
import type { OverrideRow } from "@/lib/queries/overrides.ts";
import { isPattern, sayLimits, sayMembers } from "./override-words.ts";
import { useOverrideChange } from "./use-override-change.ts";

interface OverrideItemProps {
  readonly override: OverrideRow;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
}

/** The override of a group or pattern. */
export function OverrideItem({ override, mayChange, onEdit }: OverrideItemProps) {
  const { name, reason, by, at, isEnded, isTierKnown, expiresAt, usedAt } = override;
  const Icon = isPattern(name) ? Asterisk : UsersRound;
  return (
    <li className="relative grid grid-cols-2 items-center gap-x-3 gap-y-1 px-3.5 py-2 text-cell lg:grid-cols-[minmax(0,1.2fr)_8rem_minmax(0,1fr)_8rem_7rem_2rem]">
      <div className="col-span-2 min-w-0 max-lg:pr-10 lg:col-span-1">
        <h2 className="flex items-center gap-1.5 text-body font-medium [&_.lucide]:size-3.5 [&_.lucide]:text-text-3">
          <Icon aria-hidden="true" />
          <span className="truncate font-mono">{name}</span>
          {isEnded && <Badge tone="plain">Expired</Badge>}
          {!isTierKnown && <Badge tone="throttled">Tier unknown, not enforced</Badge>}
        </h2>
        <p className="truncate text-meta text-text-3">
          <Timestamp at={at} />, <Untrusted text={reason === "" ? by : `${by}: ${reason}`} max={200} />
        </p>
      </div>
      <Cell name="Customers">{sayMembers(override)}</Cell>
      <Cell name="Limits">
        <span className="font-medium">{sayLimits(override)}</span>
      </Cell>
      <Cell name="Expires">
        {isEnded ? "expired" : expiresAt === null ? "never" : <Countdown endsAt={expiresAt} />}
      </Cell>
      <Cell name="Last used">
        {usedAt === undefined ? "unknown" : usedAt === null ? "never" : <Timestamp at={usedAt} />}
      </Cell>
      {mayChange && <OverrideMenu name={name} onEdit={onEdit} />}
    </li>
  );
}

function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 text-text-2">
      <span className="mr-1.5 text-meta text-text-3 lg:mr-0 lg:block">{name}</span>
      {children}
    </div>
  );
}

function OverrideMenu({ name, onEdit }: { name: string; onEdit: () => void }) {
  const [isRemoving, setIsRemoving] = useState(false);
  const { change, isBusy, failure } = useOverrideChange(() => setIsRemoving(false));
  return (
    <span className="justify-self-end max-lg:absolute max-lg:top-1 max-lg:right-1.5">
      <Menu
        label={`More for ${name}`}
        items={[
          { label: "Change…", icon: <Pencil />, onSelect: onEdit },
          { label: "Remove…", icon: <Trash2 />, isDanger: true, onSelect: () => setIsRemoving(true) },
        ]}
      />
      {isRemoving && (
        <ConfirmDialog
          isOpen
          onClose={() => setIsRemoving(false)}
          title={`Remove the override of ${name}?`}
          description="Its customers get the next limits that apply: of another group or pattern, of the session, or of their tier. You can undo this for 8 days."
          confirmLabel={`Remove ${name}`}
          onConfirm={() => void change(`${name} removed`, () => removeOverride({ name, reason: "" }))}
          isDanger
          isBusy={isBusy}
          error={failure?.message}
        />
      )}
    </span>
  );
}
