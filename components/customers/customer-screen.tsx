"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { DraftPage } from "@/components/console/draft-page.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Card } from "@/components/ui/card.tsx";
import { useNow } from "@/components/ui/now.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { type CustomerNow, customerNow } from "@/lib/queries/customer.ts";
import { DeniedBanner, useAddresses } from "./addresses/denied-banner.tsx";
import { Conflict } from "./conflict.tsx";
import { CustomerHeader, ForeignBanner } from "./customer-header.tsx";
import { AddressesCard, DenialsCard, RequestsCard } from "./day/sample-cards.tsx";
import { UsageCard, useDay } from "./day/usage-card.tsx";
import { problemsIn } from "./draft/save.ts";
import { askEveryMs, useEditor } from "./draft/use-editor.ts";
import { useSave } from "./draft/use-save.ts";
import { LastChangeCard } from "./last-change-card.tsx";
import { EndsCard } from "./levels/ends-card.tsx";
import { LevelsCard } from "./levels/levels-card.tsx";
import { TierCard } from "./levels/tier-card.tsx";
import { ReplayCard } from "./replay/replay-card.tsx";
import { ReplyCard } from "./reply/reply-card.tsx";
import { SaveBar } from "./save-bar.tsx";
import { SuspendedBanner } from "./suspension/suspended-banner.tsx";
import { usePreview } from "./verdict/use-outlook.ts";
import { verdictOf } from "./verdict/verdict.ts";
import { VerdictCard } from "./verdict/verdict-card.tsx";

const ResetDialog = lazyDialog(() => import("./reset-dialog.tsx").then((file) => file.ResetDialog));

const SuspendDialog = lazyDialog(() =>
  import("./suspension/suspend-dialog.tsx").then((file) => file.SuspendDialog),
);
const ResumeDialog = lazyDialog(() =>
  import("./suspension/resume-dialog.tsx").then((file) => file.ResumeDialog),
);

/** At the end of the page, and loaded after it. A link may lead to its title. */
const NotesCard = dynamic(
  () => import("@/components/console/notes-card.tsx").then((file) => file.NotesCard),
  { ssr: false, loading: NotesSkeleton },
);

function NotesSkeleton() {
  return (
    <Card title={<span id="notes">Notes</span>}>
      <Skeleton className="h-10 w-full" />
    </Card>
  );
}

interface CustomerScreenProps extends Omit<CustomerEditorProps, "initial"> {
  id: string;
}

/** One customer, once it is read. From then on the editor reads it again. */
export function CustomerScreen({ id, ...editor }: CustomerScreenProps) {
  const read = useQuery({
    ...customerNow(id),
    refetchInterval: ({ state }) => (state.data ? false : askEveryMs),
  });
  if (read.data) return <CustomerEditor initial={read.data} {...editor} />;
  return (
    <>
      <PageHeader back={{ href: "/customers", label: "Customers" }} title={`customer ${id}`} />
      <ReadState read={read} name="the customer" skeleton={<CustomerSkeleton />} isFramed>
        {() => null}
      </ReadState>
    </>
  );
}

/** The columns of the editor. */
function CustomerSkeleton() {
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(300px,36%)]">
      <div className="flex min-w-0 flex-col gap-3">
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-56 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Skeleton className="h-44 w-full" />
        <Skeleton className="h-52 w-full" />
      </div>
    </div>
  );
}

interface CustomerEditorProps {
  initial: CustomerNow;
  mayChange: boolean;
  mayNote: boolean;
  /** Roles that may change customers, for roles that may not. */
  whoMay: string;
  mayBlock: boolean;
  whoMayBlock: string;
}

/** One customer: why it is treated so now on the left, what would become of it on the right. */
function CustomerEditor({ initial, mayChange, mayNote, whoMay, ...blocking }: CustomerEditorProps) {
  const editor = useEditor(initial, mayChange);
  const saving = useSave(editor);
  const preview = usePreview(editor);
  const [dialog, open] = useState<"reset" | "suspend" | "resume">();
  const close = () => open(undefined);
  const [isConflictOpen, setIsConflictOpen] = useState(false);
  const problems = problemsIn(editor.draft, editor.base, useNow());
  const { now, staleSince } = editor;
  const told = useDay(now);
  const addresses = useAddresses(now.id);
  // A refused save opens the comparison.
  useEffect(() => setIsConflictOpen(saving.isRefused), [saving.isRefused]);
  const after = preview.preview?.after ?? undefined;
  const shown = after ?? now.usage;
  return (
    <DraftPage isEdited={editor.isEdited} onSubmit={mayChange ? () => void saving.save() : undefined}>
      <CustomerHeader
        {...{ editor, addresses }}
        onReset={() => open("reset")}
        onSuspend={() => open("suspend")}
      />
      <SuspendedBanner {...{ now, addresses }} onResume={mayChange ? () => open("resume") : undefined} />
      <DeniedBanner read={addresses} {...blocking} />
      {!mayChange && (
        <Banner tone="plain" title="Read-only">
          Tiers, limits and suspensions can be changed by {whoMay}.
        </Banner>
      )}
      <ForeignBanner now={now} />
      <Conflict {...{ editor, saving }} isOpen={isConflictOpen} onOpen={setIsConflictOpen} />
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(300px,36%)] lg:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-3">
          <TierCard editor={editor} />
          <LevelsCard editor={editor} usage={staleSince === undefined ? shown : null} />
          {mayChange && <EndsCard {...{ editor, problems }} isTried={saving.isTried} />}
          <LastChangeCard editor={editor} />
        </div>
        <div className="flex min-w-0 flex-col gap-3 lg:row-span-2">
          <VerdictCard {...{ editor, preview, addresses }} />
          <ReplyCard {...{ now, told, addresses }} isStale={staleSince !== undefined} />
          <ReplayCard editor={editor} />
        </div>
        <UsageCard now={now} told={told} />
      </div>
      <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          <AddressesCard read={addresses} />
          <RequestsCard told={told} />
        </div>
        <div className="flex min-w-0 flex-col gap-3">
          <DenialsCard told={told} />
          <NotesCard kind="customer" id={now.id} mayWrite={mayNote} />
        </div>
      </div>
      {mayChange && (
        <SaveBar {...{ editor, saving, problems }} verdict={after && verdictOf(after, now.mode)} />
      )}
      {dialog === "reset" && <ResetDialog id={now.id} onClose={close} onDone={editor.read} />}
      {dialog === "suspend" && (
        <SuspendDialog {...{ now, told, addresses }} onClose={close} onDone={editor.read} />
      )}
      {dialog === "resume" && <ResumeDialog id={now.id} onClose={close} onDone={editor.read} />}
    </DraftPage>
  );
}
