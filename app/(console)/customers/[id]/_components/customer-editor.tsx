"use client";

import { type KeyboardEvent, useEffect, useState } from "react";
import { Banner } from "../../../../../components/ui/banner.tsx";
import { useNow } from "../../../../../components/ui/now.ts";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { AddressesCard } from "../_day/addresses-card.tsx";
import { DenialsCard } from "../_day/denials-card.tsx";
import { UsageCard } from "../_day/usage-card.tsx";
import { useDay } from "../_day/use-day.ts";
import { type Problems, problemsIn } from "../_editor/save.ts";
import { type Editor, useEditor } from "../_editor/use-editor.ts";
import { usePreview } from "../_editor/use-preview.ts";
import { useSave } from "../_editor/use-save.ts";
import { verdictOf } from "../_editor/verdict.ts";
import { ReplayCard } from "../_replay/replay-card.tsx";
import { Conflict } from "./conflict.tsx";
import { CustomerHeader } from "./customer-header.tsx";
import { EndsCard } from "./ends-card.tsx";
import { ForeignBanner } from "./foreign-banner.tsx";
import { LastChangeCard } from "./last-change-card.tsx";
import { LevelsCard } from "./levels-card.tsx";
import { ResetDialog } from "./reset-dialog.tsx";
import { SaveBar } from "./save-bar.tsx";
import { TierCard } from "./tier-card.tsx";
import { VerdictCard } from "./verdict-card.tsx";

interface CustomerEditorProps {
  initial: CustomerNow;
  mayChange: boolean;
  /** For whoever may not: who may. */
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
  // A refused save shows both versions by itself.
  useEffect(() => setIsConflictOpen(saving.isRefused), [saving.isRefused]);
  useWarningBeforeLeaving(editor.isEdited);
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || !mayChange) return;
    // A dialog is a child of this page, and stands elsewhere in the document.
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
    <Banner tone="plain" title="You can look here, not change">
      Tiers and limits are changed by {whoMay}.
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
