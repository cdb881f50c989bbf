"use client";

import { Undo2, X } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { Select } from "@/components/ui/select.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { LevelUsage } from "@/lib/queries/customer.ts";
import { sayLevel } from "../customer-words.ts";
import { fateOf } from "../draft/draft.ts";
import { type LevelRow, levelIn, type RowProblem, secondsOf, type Unit } from "../draft/level-rows.ts";
import { usedIn } from "../verdict/verdict.ts";

interface LevelRowEditorProps {
  row: LevelRow;
  /** Tells the rows' controls apart. */
  name: string;
  usage: readonly LevelUsage[] | null;
  /** The levels in force. */
  before: readonly Level[];
  problem: RowProblem | undefined;
  mayChange: boolean;
  onChange: (row: LevelRow) => void;
  onRemove: () => void;
}

const units: readonly { value: Unit; label: string }[] = [
  { value: "s", label: "s" },
  { value: "min", label: "min" },
  { value: "h", label: "h" },
  { value: "d", label: "days" },
];

export function LevelRowEditor(props: LevelRowEditorProps) {
  const { row, name, usage, before, problem, mayChange, onChange, onRemove } = props;
  const level = levelIn(row);
  return (
    <li className={`${levelColumns} items-center border-t border-border py-2.5`}>
      <div className="flex min-w-0 gap-1.5">
        <Input
          aria-label={`Period of ${name}`}
          inputMode="numeric"
          className="w-22"
          value={row.count}
          isInvalid={problem?.period !== undefined}
          disabled={!mayChange}
          onChange={({ target }) => onChange({ ...row, count: target.value })}
        />
        <Select<Unit>
          label={`Unit of ${name}`}
          value={row.unit}
          onChange={(unit) => onChange({ ...row, unit })}
          options={units}
          isDisabled={!mayChange}
          className="w-20"
        />
      </div>
      <Input
        aria-label={`Limit of ${name}`}
        inputMode="numeric"
        className="max-sm:order-3 max-sm:col-span-2"
        value={row.limit}
        isInvalid={problem?.limit !== undefined}
        disabled={!mayChange}
        onChange={({ target }) => onChange({ ...row, limit: target.value })}
      />
      <div className="min-w-0 max-sm:order-4">
        <UsageMeter usage={usedIn(usage, secondsOf(row))} limit={level?.limit} isUnknown={usage === null} />
      </div>
      <div className="text-cell max-sm:order-5 max-sm:text-right">
        {level && <Fate level={level} before={before} />}
      </div>
      <div className="max-sm:order-2 max-sm:justify-self-end">
        {mayChange && <IconButton label={`Remove ${name}`} icon={<X />} onClick={onRemove} />}
      </div>
      {problem && (
        <p role="alert" className="col-span-full text-cell text-blocked max-sm:order-6">
          {[problem.period && `Period: ${problem.period}`, problem.limit && `Limit: ${problem.limit}`]
            .filter(Boolean)
            .join(". ")}
          .
        </p>
      )}
    </li>
  );
}

/** What becomes of the level, against what is in force. */
function Fate({ level, before }: { level: Level; before: readonly Level[] }) {
  const fate = fateOf(level, before);
  if (level.limit === 0) return <Badge tone="blocked">none allowed</Badge>;
  if (fate.fate === "new") return <Badge tone="plain">new</Badge>;
  if (fate.fate !== "changed") return null;
  return <span className="whitespace-nowrap text-text-2">was {countText(fate.was)}</span>;
}

/** One grid for the head and each row; a phone shows a level in two lines. */
export const levelColumns =
  "grid gap-x-3 gap-y-2 px-3.5 sm:grid-cols-[minmax(150px,190px)_minmax(80px,112px)_minmax(110px,1fr)_minmax(64px,84px)_28px] max-sm:grid-cols-[1fr_auto]";

interface UsageMeterProps {
  /** Undefined if no rule counts this period, or while loading. */
  usage: LevelUsage | undefined;
  /** Undefined while it is being typed. */
  limit: number | undefined;
  /** The counters cannot be read. */
  isUnknown: boolean;
}

/** What was used so far, against the limit that is being written. */
function UsageMeter({ usage, limit, isUnknown }: UsageMeterProps) {
  if (!usage) return <span className="text-cell text-text-3">{isUnknown ? "usage unknown" : "–"}</span>;
  const used = Math.round(usage.used);
  if (limit === undefined) return <span className="text-cell text-text-2">{countText(used)} used</span>;
  return <Meter value={used} limit={limit} label={`Used of the level, by ${usage.rule}`} hasText />;
}

/** A level in force that the draft takes away. */
export function RemovedLevel({ level, onRestore }: { level: Level; onRestore: (() => void) | undefined }) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-t border-border px-3.5 py-1.5 text-cell">
      <s className="text-text-3">{sayLevel(level)}</s>
      <Badge tone="plain">removed</Badge>
      {onRestore && (
        <IconButton
          label={`Keep ${sayLevel(level)}`}
          icon={<Undo2 />}
          className="ml-auto"
          onClick={onRestore}
        />
      )}
    </li>
  );
}
