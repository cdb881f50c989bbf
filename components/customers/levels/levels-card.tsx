"use client";

import { Eraser, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { CustomerNow, LevelUsage } from "@/lib/queries/customer.ts";
import { sayLevel, sayTier } from "../customer-words.ts";
import {
  asRows,
  type Draft,
  levelsOfTier,
  readOwn,
  removedFrom,
  shownRows,
  wishedLevels,
  withHash,
  withoutOwn,
  withRows,
} from "../draft/draft.ts";
import { addedRow, type LevelRow, rowOf, writeHash } from "../draft/level-rows.ts";
import type { Editor } from "../draft/use-editor.ts";
import { LevelRowEditor, levelColumns, RemovedLevel } from "./level-row-editor.tsx";

interface LevelsCardProps {
  editor: Editor;
  /** Of the wanted levels. Null while unknown. */
  usage: readonly LevelUsage[] | null;
}

const views = [
  { value: "rows", label: "Rows" },
  { value: "hash", label: "Hash" },
] as const;

/** The levels that count: those of the tier, or its own. */
export function LevelsCard({ editor, usage }: LevelsCardProps) {
  const [view, setView] = useState<"rows" | "hash">("rows");
  const { base, draft, edit } = editor;
  const choose = (next: "rows" | "hash") => {
    // Text that cannot be read cannot become rows, and rows with a fault cannot become text.
    if (next === "rows" && draft.hash !== null && readOwn(draft)?.problem) return;
    if (next === "rows") edit(asRows);
    if (next === "hash" && readOwn(draft)?.levels === undefined && draft.rows !== null) return;
    setView(next);
  };
  return (
    <Card
      title="Custom throttle"
      hint={sayHint(editor)}
      isFlush
      actions={<Segmented label="Levels as" size="sm" value={view} onChange={choose} options={views} />}
    >
      {draft.rows && base.override && <OverrideNote note={base.override.note} />}
      {view === "hash" ? <HashEditor editor={editor} /> : <LevelRows editor={editor} usage={usage} />}
      <LevelsFoot editor={editor} isHash={view === "hash"} />
    </Card>
  );
}

function LevelRows({ editor, usage }: LevelsCardProps) {
  const { now, base, draft, edit, mayChange } = editor;
  const rows = shownRows(now, draft);
  const put = (next: readonly LevelRow[]) => edit((before) => withRows(before, next));
  const { problems, problem } = readOwn(draft) ?? {};
  const calendars = levelsOfTier(now, draft.tier).filter(({ period }) => period);
  const removed = removedFrom(base.levels ?? [], wishedLevels(draft, now) ?? base.levels ?? []);
  return (
    <>
      <div
        aria-hidden="true"
        className={`${levelColumns} h-8 items-center text-meta font-medium text-text-2 max-sm:hidden`}
      >
        <span>Period</span>
        <span>Limit</span>
        <span>Usage now</span>
        <span>Change</span>
      </div>
      <ul aria-label="Levels">
        {rows.map((row, i) => (
          <LevelRowEditor
            key={row.key}
            {...{ row, usage, mayChange }}
            name={`level ${i + 1}`}
            before={base.levels ?? []}
            problem={problems?.get(row.key)}
            onChange={(next) => put(rows.map((one) => (one.key === row.key ? next : one)))}
            onRemove={() => put(rows.filter(({ key }) => key !== row.key))}
          />
        ))}
        {removed.map((level) => (
          <RemovedLevel
            key={level.periodSeconds}
            level={level}
            onRestore={
              mayChange && draft.rows ? () => put([...rows, rowOf(level, addedRow(rows).key)]) : undefined
            }
          />
        ))}
      </ul>
      {problem && (
        <p role="alert" className="border-t border-border px-3.5 py-2 text-cell text-blocked">
          {problem}.
        </p>
      )}
      {draft.rows === null && calendars.length > 0 && (
        <p className="border-t border-border px-3.5 py-2 text-cell text-text-2">
          Counted by the calendar: {calendars.map(sayLevel).join(", ")}. A custom throttle has periods of
          equal length instead.
        </p>
      )}
      {rows.length === 0 && removed.length === 0 && (
        <p className="border-t border-border px-3.5 py-4 text-cell text-text-2">
          No level counts this customer. It is counted by address, like an anonymous client. Choose a tier, or
          add a period.
        </p>
      )}
    </>
  );
}

function LevelsFoot({ editor, isHash }: { editor: Editor; isHash: boolean }) {
  const { now, base, draft, edit, mayChange } = editor;
  const rows = shownRows(now, draft);
  const levels = wishedLevels(draft, now);
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-border px-3.5 py-2.5">
      {mayChange && !isHash && (
        <Button icon={<Plus />} onClick={() => edit((draft) => withRows(draft, [...rows, addedRow(rows)]))}>
          Add period
        </Button>
      )}
      {mayChange && draft.rows && (
        <Button variant="ghost" icon={<Eraser />} onClick={() => edit(withoutOwn)}>
          {base.override ? "Remove custom throttle" : sayBack(draft)}
        </Button>
      )}
      {levels && levels.length > 0 && !isHash && (
        <code className="ml-auto max-w-full rounded-control bg-raised px-2 py-1 font-mono text-cell wrap-anywhere text-text-2">
          {writeHash(levels)}
        </code>
      )}
    </div>
  );
}

function sayBack({ tier }: Draft): string {
  return tier === "" ? "Back to no limits" : `Back to the ${sayTier(tier)} limits`;
}

function sayHint({ now, draft, base }: Editor): string {
  const tier = sayTier(draft.tier);
  if (draft.rows === null && base.override) return "will be removed";
  if (draft.rows === null && now.session?.levels) return "none: these are the limits from the app's session";
  if (draft.rows === null && draft.tier === "") return "none";
  if (draft.rows === null) return `none: these are the ${tier} limits`;
  return levelsOfTier(now, draft.tier).length > 0
    ? `replaces the ${tier} limits for this customer`
    : "the only limits of this customer";
}

/** The hash as in Redis, for copying and pasting. */
function HashEditor({ editor }: { editor: Editor }) {
  const { now, draft, edit, mayChange } = editor;
  const text = draft.hash ?? writeHash(wishedLevels(draft, now) ?? []);
  const problem = draft.hash === null ? undefined : readOwn(draft)?.problem;
  return (
    <div className="border-t border-border px-3.5 py-3">
      <Field label="Period in seconds → limit" hint="as in Redis" error={problem && `${problem}.`}>
        <Textarea
          isMono
          rows={3}
          spellCheck={false}
          value={text}
          readOnly={!mayChange}
          onChange={({ target }) => edit((before) => withHash(before, target.value))}
        />
      </Field>
    </div>
  );
}

type Note = NonNullable<CustomerNow["override"]>["note"];

/** Who gave the customer the levels in force, and why. */
function OverrideNote({ note: { by, at, reason } }: { note: Note }) {
  if (by === undefined && reason === "")
    return <p className="px-3.5 pb-2 text-cell text-text-3">In force now. Author and reason are unknown.</p>;
  return (
    <p className="px-3.5 pb-2 text-cell text-text-3">
      In force now, set by <Untrusted text={by ?? "an unknown author"} max={80} className="text-text-2" />
      {at !== undefined && (
        <>
          {" "}
          <Timestamp at={at} />
        </>
      )}
      {reason !== "" && (
        <>
          : “<Untrusted text={reason} max={200} className="text-text-2" />”
        </>
      )}
    </p>
  );
}
