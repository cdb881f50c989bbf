import { ChevronDown, Hand, TriangleAlert, Undo2 } from "lucide-react";
import { memo, useEffect, useId, useRef, useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { AuditRow, DamagedRow } from "@/lib/queries/audit.ts";
import type { Undoing } from "./days.ts";
import { Details } from "./details.tsx";
import { RowIcon } from "./row-icon.tsx";
import { Hits, RecordSentence } from "./sentence.tsx";

interface AuditItemProps {
  readonly row: AuditRow;
  /** The page was opened for this record: its details are open. */
  readonly isLinked: boolean;
  readonly undone: Undoing | undefined;
  /** The undo button had the focus, and is removed. */
  readonly takesFocus: boolean;
  /** All of it, or the chosen entries of it. */
  readonly onUndo: (row: AuditRow, addresses?: readonly string[]) => void;
}

/** One record: author, action, target and reason, with details when opened. Drawn again only when it changes: there may be many. */
export const AuditItem = memo(function AuditItem(props: AuditItemProps) {
  const { row, isLinked, undone, takesFocus, onUndo } = props;
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) toggle.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const [isOpen, setIsOpen] = useState(isLinked);
  const isUndone = undone !== undefined && !undone.isPartly;
  const isQuiet = row.look === "sign-in" || isUndone;
  return (
    <li
      className={classes("border-border not-last:border-b", isLinked && "bg-raised")}
      {...(isLinked && { "aria-current": true })}
    >
      <div className="flex items-start gap-2.5 px-3.5 py-2">
        <RowIcon row={row} />
        <div className="grid min-w-0 flex-1 gap-x-4 gap-y-0.5 lg:grid-cols-[minmax(0,1fr)_13rem_5.5rem]">
          <div className="min-w-0 pt-1">
            <p className={classes("text-cell wrap-anywhere", isQuiet ? "text-text-3" : "text-text-2")}>
              <RecordSentence row={row} className={isQuiet ? "" : "font-medium text-text"} />
            </p>
            {row.hits && <Hits hits={row.hits} />}
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
          <Marks row={row} undone={undone} />
          {row.noUndo === null && !isUndone && (
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
      {isOpen && <Details id={id} row={row} undone={undone} onUndo={onUndo} />}
    </li>
  );
});

const doors: Readonly<Record<string, string>> = {
  console: "console",
  cli: "command line",
  api: "API",
  start: "at the start",
};

/** The source and the address. */
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

function Marks({ row, undone }: Pick<AuditItemProps, "row" | "undone">) {
  if (row.look === "refused") {
    return (
      <Badge tone="plain" icon={<Hand />}>
        Refused
      </Badge>
    );
  }
  if (undone) {
    return (
      <Badge tone="plain" icon={<Undo2 />}>
        {undone.isPartly ? "Partly undone" : "Undone"}
      </Badge>
    );
  }
  return row.bulk && !row.bulk.isFinished ? <Badge tone="plain">Unfinished</Badge> : null;
}

/** A row of the log that is not as Sluice wrote it. */
export function DamagedItem({ row }: { row: DamagedRow }) {
  return (
    <li className="flex items-start gap-2.5 border-border bg-blocked-bg px-3.5 py-2 not-last:border-b">
      <RowIcon row={row} />
      <p className="min-w-0 flex-1 pt-1 text-cell text-text-2">
        Record <Untrusted text={row.id} max={40} className="font-mono" /> cannot be trusted:{" "}
        <Untrusted text={row.damage} />.
      </p>
      <Badge tone="blocked" icon={<TriangleAlert />}>
        Damaged
      </Badge>
    </li>
  );
}
