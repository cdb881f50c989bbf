"use client";

import { type KeyboardEvent, useEffect, useState } from "react";
import { isPressed } from "@/components/console/shortcuts.ts";
import { Banner } from "@/components/ui/banner.tsx";
import { useNow } from "@/components/ui/now.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { Conflict } from "./conflict.tsx";
import { CustomerHeader } from "./customer-header.tsx";
import { AddressesCard } from "./day/addresses-card.tsx";
import { DenialsCard } from "./day/denials-card.tsx";
import { UsageCard } from "./day/usage-card.tsx";
import { useDay } from "./day/use-day.ts";
import { type Problems, problemsIn } from "./draft/save.ts";
import { type Editor, useEditor } from "./draft/use-editor.ts";
import { useSave } from "./draft/use-save.ts";
import { ForeignBanner } from "./foreign-banner.tsx";
import { LastChangeCard } from "./last-change-card.tsx";
import { EndsCard } from "./levels/ends-card.tsx";
import { LevelsCard } from "./levels/levels-card.tsx";
import { TierCard } from "./levels/tier-card.tsx";
import { ReplayCard } from "./replay/replay-card.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { SaveBar } from "./save-bar.tsx";
import { usePreview } from "./verdict/use-preview.ts";
import { verdictOf } from "./verdict/verdict.ts";
import { VerdictCard } from "./verdict/verdict-card.tsx";

export interface CustomerEditorProps {
  initial: CustomerNow;
  mayChange: boolean;
  /** Roles that may change customers, for roles that may not. */
  whoMay: string;
}

/** One customer: why it is treated so now on the left, what would become of it on the right. */
export function CustomerEditor({ initial, mayChange, whoMay }: CustomerEditorProps) {
  const editor = useEditor(initial);
  const saving = useSave(editor);
  const preview = usePreview(editor);
  const [isResetOpen, setIsResetOpen] = useState(false);
  const [isConflictOpen, setIsConflictOpen] = useState(false);
  const problems = useProblems(editor);
  const { now, staleSince } = editor;
  const told = useDay(now);
  // A refused save opens the comparison.
  useEffect(() => setIsConflictOpen(saving.isRefused), [saving.isRefused]);
  useWarningBeforeLeaving(editor.isEdited);
  const saveByKey = (event: KeyboardEvent) => {
    if (!isPressed("submit", event) || !mayChange) return;
    // A dialog is a React child of this page, and elsewhere in the document.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    void saving.save();
  };
  const after = preview.preview?.after ?? undefined;
  const shown = after ?? now.usage;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of the button below, from any field.
    <div onKeyDown={saveByKey} className="flex flex-1 flex-col gap-3">
      <CustomerHeader {...{ now, staleSince, mayChange }} onReset={() => setIsResetOpen(true)} />
      {!mayChange && <ReadOnly whoMay={whoMay} />}
      <ForeignBanner now={now} />
      <Conflict {...{ editor, saving }} isOpen={isConflictOpen} onOpen={setIsConflictOpen} />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(300px,36%)] lg:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-3">
          <TierCard {...{ editor, mayChange }} />
          <LevelsCard {...{ editor, mayChange }} usage={staleSince === undefined ? shown : null} />
          {mayChange && <EndsCard {...{ editor, problems }} isTried={saving.isTried} />}
          <LastChangeCard {...{ editor, mayChange }} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 lg:row-span-2">
          <VerdictCard {...{ editor, preview }} />
          <ReplayCard editor={editor} />
        </div>
        <UsageCard now={now} told={told} />
      </div>
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <AddressesCard told={told} />
        <DenialsCard told={told} />
      </div>
      {mayChange && (
        <SaveBar {...{ editor, saving, problems }} verdict={after && verdictOf(after, now.mode)} />
      )}
      {isResetOpen && <ResetDialog id={now.id} onClose={() => setIsResetOpen(false)} onDone={editor.read} />}
    </div>
  );
}

function useProblems({ draft, base }: Editor): Problems {
  const now = useNow();
  return problemsIn(draft, base, now);
}

function ReadOnly({ whoMay }: { whoMay: string }) {
  return (
    <Banner tone="plain" title="Read-only">
      Tiers and limits can be changed by {whoMay}.
    </Banner>
  );
}

/** The browser asks before a reload loses what was typed. */
function useWarningBeforeLeaving(isEdited: boolean): void {
  useEffect(() => {
    if (!isEdited) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isEdited]);
}
