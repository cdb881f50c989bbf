"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPen } from "lucide-react";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { utcText } from "@/components/ui/value-text.ts";
import { type CustomerNow, customerChanges } from "@/lib/queries/customer.ts";
import { sayChange } from "./customer-words.ts";
import type { Editor } from "./draft/use-editor.ts";
import type { Saving } from "./draft/use-save.ts";

/** Loaded when the comparison is opened. */
const VersionsTable = dynamic(() => import("./versions-table.tsx").then((file) => file.VersionsTable), {
  ssr: false,
  loading: () => <Skeleton className="h-40 w-full" />,
});

interface ConflictProps {
  editor: Editor;
  saving: Saving;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** Shown when another user changes the customer during the edit, and when a save is refused for that. */
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
        title="This customer changed while you edit it. Your input is kept"
        actions={<Button onClick={() => onOpen(true)}>Compare</Button>}
      >
        <Others base={base} now={now} />
      </Banner>
      <Dialog
        isOpen={isOpen}
        onClose={() => onOpen(false)}
        title={`Customer ${now.id} was changed after you opened it`}
        description={
          saving.isRefused
            ? "Your changes were not saved. Keep theirs, or apply your changes to their version."
            : "Keep theirs, or apply your changes to their version."
        }
        width={720}
        footer={
          <>
            <Button variant="ghost" size="lg" onClick={() => onOpen(false)}>
              Continue editing
            </Button>
            <Button size="lg" onClick={take}>
              Keep theirs
            </Button>
            <Button variant="primary" size="lg" isBusy={saving.isBusy} onClick={() => void reapply()}>
              Apply mine to theirs
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
  if (data.changes.length === 0)
    return "It was changed outside of Sluice, or its custom throttle has expired.";
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
