"use client";

import { ArrowRight, Undo2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { AuditDetail } from "@/lib/queries/audit.ts";
import { Sentence } from "./sentence.tsx";
import { TargetLink } from "./target-link.tsx";

const mostShown = 10;
/** What one undo takes, as the action does. */
const mostChosen = 1_000;

interface ChangesTableProps extends Pick<AuditDetail, "changes"> {
  /** Undefined where entries cannot be undone one by one. */
  readonly onUndo: ((addresses: readonly string[]) => void) | undefined;
  /** More can be loaded. */
  readonly more: { readonly isBusy: boolean; readonly load: () => void } | undefined;
}

/** State of each target before and after. */
export function ChangesTable({ changes, onUndo, more }: ChangesTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = isWhole ? changes : changes.slice(0, mostShown);
  const rest = changes.length - shown.length;
  const toggle = (target: string, isChosen: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!isChosen) next.delete(target);
      else if (next.size < mostChosen) next.add(target);
      return next;
    });
  return (
    <>
      <ul className="flex flex-col gap-1 text-cell">
        {shown.map((change) => (
          <Row
            key={change.target}
            change={change}
            isChosen={chosen.has(change.target)}
            onChoose={onUndo ? toggle : undefined}
          />
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {rest > 0 && (
          <Button size="sm" onClick={() => setIsWhole(true)}>
            {`Show ${counted(rest, "more", "more")}`}
          </Button>
        )}
        {rest === 0 && more && (
          <Button size="sm" isBusy={more.isBusy} onClick={more.load}>
            Load more
          </Button>
        )}
        {onUndo && chosen.size > 0 && (
          <Button size="sm" icon={<Undo2 />} onClick={() => onUndo([...chosen])}>
            {`Undo ${counted(chosen.size, "entry", "entries")}`}
          </Button>
        )}
      </div>
    </>
  );
}

interface RowProps {
  readonly change: AuditDetail["changes"][number];
  readonly isChosen: boolean;
  readonly onChoose: ((target: string, isChosen: boolean) => void) | undefined;
}

function Row({ change: { target, before, after }, isChosen, onChoose }: RowProps) {
  return (
    <li className="flex items-start gap-1.5">
      {onChoose && (
        <Checkbox
          label={`Choose ${target}`}
          isLabelHidden
          checked={isChosen}
          onChange={(isNow) => onChoose(target, isNow)}
        />
      )}
      <div className="grid min-h-6 min-w-0 flex-1 content-center gap-x-3 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]">
        <span className="min-w-0">
          <TargetLink target={target} isMono />
        </span>
        <span className="min-w-0 text-text-2 wrap-anywhere">
          <span className="text-text-3">
            <Sentence pieces={before} isPlain />
          </span>
          <ArrowRight aria-label="then" className="mx-1.5 inline size-3 text-text-3" />
          <Sentence pieces={after} isPlain />
        </span>
      </div>
    </li>
  );
}
