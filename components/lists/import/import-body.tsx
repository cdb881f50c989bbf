"use client";

import { Check, TriangleAlert } from "lucide-react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { failedTitle } from "@/components/console/failed-write.ts";
import type { Total } from "@/components/console/in-steps.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { ProgressBar } from "@/components/ui/progress-bar.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import type { Expiry } from "../composer/expiry.ts";
import { ExpiryField } from "../composer/expiry-field.tsx";
import { groupsOf } from "../composer/preview-groups.ts";
import { PreviewList } from "../composer/preview-list.tsx";
import { DropZone } from "./drop-zone.tsx";
import type { useImport } from "./use-import.ts";
import type { ImportOptions } from "./write-pieces.ts";

interface ImportBodyProps {
  readonly list: ListName;
  readonly importing: ReturnType<typeof useImport>;
  readonly expiry: Expiry;
  readonly reason: string;
  readonly mayForever: boolean;
  readonly options: ImportOptions;
  readonly setReason: (reason: string) => void;
  readonly changeExpiry: (expiry: Expiry) => void;
  readonly confirm: (range: string) => void;
}

export function ImportBody(props: ImportBodyProps) {
  const { list, importing, confirm } = props;
  const { state } = importing;
  return (
    <div aria-live="polite" className="flex flex-col gap-4">
      {state.at === "choosing" && <Chooser {...props} />}
      {(state.at === "looking" || state.at === "writing") && (
        <Progress verb={state.at === "looking" ? "Checking" : "Importing"} {...state} />
      )}
      {state.at === "seen" && <PreviewList groups={groupsOf(list, state.preview)} onConfirm={confirm} />}
      {state.at === "written" && <Outcome total={state.total} />}
      {(state.at === "choosing" || state.at === "seen") && <Choices {...props} />}
    </div>
  );
}

function Chooser({ importing: { state, choose, look }, options }: ImportBodyProps) {
  return (
    <div className="flex flex-col gap-2">
      <DropZone onFile={(file) => void choose(file, options)} />
      {state.at === "choosing" && state.problem && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-cell text-blocked">
          <TriangleAlert />
          <span className="min-w-0 flex-1">{state.problem}</span>
          {state.name !== undefined && (
            <Button onClick={() => void look(options)}>
              Retry <Untrusted text={state.name} max={30} />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Choices({ expiry, reason, mayForever, changeExpiry, setReason }: ImportBodyProps) {
  return (
    <div className="flex flex-col gap-3 border-t border-border pt-3">
      <p className="text-cell text-text-3">For lines without their own duration or reason:</p>
      <ExpiryField expiry={expiry} mayForever={mayForever} onChange={changeExpiry} />
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </div>
  );
}

function Progress({ verb, name, done, of }: { verb: string; name: string; done: number; of: number }) {
  return (
    <div className="flex flex-col gap-2 py-4 text-cell text-text-2">
      <p className="text-body">
        {verb}: <Untrusted text={name} max={60} />
      </p>
      <ProgressBar label={verb} done={done} of={of} />
    </div>
  );
}

function Outcome({ total: { done, skipped, skippedCount, change, failure } }: { total: Total }) {
  return (
    <div className="flex gap-2.5 text-cell text-text-2">
      {failure ? <TriangleAlert className="text-blocked" /> : <Check className="text-pass" />}
      <div className="min-w-0 flex-1">
        <p className="text-body font-semibold text-text">
          {failure ? failedTitle(failure, done, "Nothing was written") : `${countText(done)} imported`}
        </p>
        {failure && <p>{failure.message}</p>}
        <ChangeProgress change={change} />
        {skipped.slice(0, 5).map(({ address, message }) => (
          <p key={address}>
            <Untrusted text={message} max={300} />
          </p>
        ))}
        {skippedCount > 5 && <p>{`and ${countText(skippedCount - 5)} more were skipped`}</p>}
      </div>
    </div>
  );
}
