"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPen } from "lucide-react";
import type { ReactNode } from "react";
import { Banner } from "../../../../../components/ui/banner.tsx";
import { Button } from "../../../../../components/ui/button.tsx";
import { Dialog } from "../../../../../components/ui/dialog.tsx";
import { utcText } from "../../../../../components/ui/relative-time.ts";
import { Untrusted } from "../../../../../components/ui/untrusted.tsx";
import { type CustomerNow, customerChanges } from "../../../../../lib/queries/customer.ts";
import type { Editor } from "../_editor/use-editor.ts";
import type { Saving } from "../_editor/use-save.ts";
import { sayChange } from "./change-words.ts";
import { VersionsTable } from "./versions-table.tsx";

interface ConflictProps {
  editor: Editor;
  saving: Saving;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Somebody else changed the customer while it was edited here: told at once, and again when a save was refused for it. */
export function Conflict({ editor, saving, isOpen, onOpen }: ConflictProps) {
  const { now, base, isOvertaken, discard } = editor;
  if (!isOvertaken) return null;
  const take = () => {
    discard();
    saving.forget();
    onOpen(false);
  };
  const reapply = async () => {
    await saving.reapply();
    onOpen(false);
  };
  return (
    <>
      <Banner
        tone="throttled"
        icon={<UserPen />}
        title="This customer was changed while you edit it. What you typed is kept"
        actions={<Button onClick={() => onOpen(true)}>Show both</Button>}
      >
        <Others base={base} now={now} />
      </Banner>
      <Dialog
        isOpen={isOpen}
        onClose={() => onOpen(false)}
        title={`Customer ${now.id} was changed after you opened it`}
        description={
          saving.isRefused
            ? "Nothing of yours was saved. Take theirs, or reapply yours on top."
            : "Take theirs, or reapply yours on top."
        }
        width={720}
        footer={
          <>
            <Button variant="ghost" size="lg" onClick={() => onOpen(false)}>
              Go on editing
            </Button>
            <Button size="lg" onClick={take}>
              Take theirs, discard mine
            </Button>
            <Button variant="primary" size="lg" isBusy={saving.isBusy} onClick={() => void reapply()}>
              Reapply mine
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <Others base={base} now={now} />
          <VersionsTable editor={editor} />
          {saving.problem && !saving.isRefused && (
            <p role="alert" className="text-cell text-blocked">
              {saving.problem}
            </p>
          )}
        </div>
      </Dialog>
    </>
  );
}

/** Each change since the editor looked: who, when, what, why. */
function Others({ base, now }: { base: CustomerNow; now: CustomerNow }): ReactNode {
  const { queryKey, queryFn } = customerChanges(base.id, base.basedOn);
  const { data } = useQuery({
    queryKey: [...queryKey, now.basedOn],
    queryFn,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  if (data.changes.length === 0) return "It was changed outside of Sluice, or something of it has ended.";
  return (
    <ul className="flex flex-col gap-1 text-cell">
      {data.changes.map((change) => (
        <li key={change.n}>
          <Untrusted text={change.actor} max={80} className="font-semibold text-text" /> at{" "}
          {utcText(Date.parse(change.at))}: <Untrusted text={sayChange(change)} max={200} />
          {change.reason !== "" && (
            <>
              , “<Untrusted text={change.reason} max={120} />”
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
