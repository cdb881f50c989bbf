"use client";

import { ChevronDown, Hand, Undo2 } from "lucide-react";
import { memo, useEffect, useId, useRef, useState } from "react";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { classes } from "../../../../components/ui/classes.ts";
import { IconButton } from "../../../../components/ui/icon-button.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { AuditRow } from "../../../../lib/queries/audit.ts";
import { Details } from "./details.tsx";
import { RowIcon } from "./row-icon.tsx";
import { Sentence } from "./sentence.tsx";

export interface AuditItemProps {
  readonly row: AuditRow;
  /** Which record undid it. */
  readonly undoneBy: number | undefined;
  /** Its button to undo had the focus, and is gone. */
  readonly takesFocus: boolean;
  readonly onUndo: (row: AuditRow) => void;
}

/** One record: who did what, to what, why; the rest when it is opened. Drawn anew only when it changes: there may be many. */
export const AuditItem = memo(function AuditItem({ row, undoneBy, takesFocus, onUndo }: AuditItemProps) {
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) toggle.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const [isOpen, setIsOpen] = useState(false);
  const isQuiet = row.look === "sign-in" || undoneBy !== undefined;
  return (
    <li className="border-border not-last:border-b">
      <div className="flex items-start gap-2.5 px-3.5 py-2">
        <RowIcon row={row} />
        <div className="grid min-w-0 flex-1 gap-x-4 gap-y-0.5 lg:grid-cols-[minmax(0,1fr)_13rem_5.5rem]">
          <div className="min-w-0 pt-1">
            <p className={classes("text-cell wrap-anywhere", isQuiet ? "text-text-3" : "text-text-2")}>
              <Untrusted text={row.actor} max={60} className={isQuiet ? "" : "font-medium text-text"} />{" "}
              <Sentence pieces={row.says} />
            </p>
            {row.reason !== "" && (
              <p className="text-cell text-text-3">
                <Untrusted text={row.reason} max={240} />
              </p>
            )}
          </div>
          <div className="flex flex-wrap gap-x-2 text-meta text-text-3 lg:contents">
            <Origin row={row} />
            <p className="lg:flex lg:h-6 lg:items-center lg:justify-end">
              <Timestamp at={row.at} />
            </p>
          </div>
        </div>
        <div className="flex shrink-0 items-center justify-end gap-1 max-sm:-my-2 lg:w-28">
          <Marks row={row} undoneBy={undoneBy} />
          {row.noUndo === null && undoneBy === undefined && (
            <Button
              size="sm"
              icon={<Undo2 />}
              aria-label={`Undo record ${row.n}`}
              onClick={() => onUndo(row)}
            >
              <span className="max-sm:sr-only">Undo</span>
            </Button>
          )}
          <IconButton
            ref={toggle}
            label={`Details of record ${row.n}`}
            icon={<ChevronDown className={classes("transition-transform", isOpen && "rotate-180")} />}
            size="sm"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setIsOpen(!isOpen)}
          />
        </div>
      </div>
      {isOpen && <Details id={id} row={row} undoneBy={undoneBy} />}
    </li>
  );
});

const doors: Readonly<Record<string, string>> = {
  console: "console",
  cli: "command line",
  start: "at the start",
};

/** Through which door, and from where. */
function Origin({ row: { via, address } }: { row: AuditRow }) {
  const door = Object.hasOwn(doors, via) ? doors[via] : undefined;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 lg:min-h-6 lg:self-start">
      {door ?? <Untrusted text={via} max={40} />}
      {address !== null && (
        <span>
          from <span className="font-mono wrap-anywhere">{address}</span>
        </span>
      )}
    </p>
  );
}

function Marks({ row, undoneBy }: Pick<AuditItemProps, "row" | "undoneBy">) {
  if (row.look === "refused") {
    return (
      <Badge tone="plain" icon={<Hand />}>
        Refused
      </Badge>
    );
  }
  return undoneBy === undefined ? null : (
    <Badge tone="plain" icon={<Undo2 />}>
      Undone
    </Badge>
  );
}
