"use client";

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { failedTitle } from "@/components/console/failed-write.ts";
import { ReadState } from "@/components/console/read-state.tsx";
import { isPressed, kbdOf } from "@/components/console/shortcuts.ts";
import { noEnd, readUntil, sayUntil } from "@/components/console/until.ts";
import { UntilField } from "@/components/console/until-field.tsx";
import { retryEvery } from "@/components/console/use-live.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { policyAgainst } from "@/lib/queries/policy.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { ChangesList } from "../overtaken.tsx";
import type { Publishing } from "./use-publish.tsx";

interface PublishDialogProps {
  editor: PolicyEditor;
  publishing: Publishing;
  isLookOnly: boolean;
  onClose: () => void;
}

/** Shows the draft's changes and asks for a reason. Mounted only while open, so that it starts empty each time. */
export function PublishDialog({ editor, publishing, isLookOnly, onClose }: PublishDialogProps) {
  const { draft, standing, nextVersion } = editor;
  const [until, setUntil] = useState(noEnd);
  const now = useNow();
  const end = sayUntil(until, now);
  const publish = {
    label: `Publish v${nextVersion}${end === undefined ? "" : ` until ${end}`}`,
    run: (reason: string) => {
      const read = readUntil(until, Date.now());
      return read.ok ? publishing.publish(reason, read.atMs) : Promise.resolve(false);
    },
    hasShortcut: true,
    kept: "Your draft is kept.",
  };
  return (
    <ChangesDialog
      {...{ publishing, onClose }}
      title={isLookOnly ? `v${draft.basedOn} → v${nextVersion}` : `Publish v${nextVersion}`}
      description={
        isLookOnly
          ? "Changes of the draft."
          : "It is in force on every node within 1 s, and is recorded in the audit log."
      }
      action={isLookOnly ? undefined : publish}
    >
      <ChangesList changes={standing.changes} label={`Changes of v${draft.basedOn}`} />
      {!isLookOnly && <UntilField label="In force" until={until} onChange={setUntil} />}
      {!isLookOnly && end !== undefined && (
        <p className="text-cell text-text-2">
          On {end}, these changes go back on every node. What is published until then stays.
        </p>
      )}
    </ChangesDialog>
  );
}

interface VersionDialogProps {
  editor: PolicyEditor;
  publishing: Publishing;
  version: number;
  isRollBack: boolean;
  onClose: () => void;
}

/** Compares a version with the one in force. Rolls back to it. */
export function VersionDialog({ editor, publishing, version, isRollBack, onClose }: VersionDialogProps) {
  const { now, nextVersion } = editor;
  const against = useQuery({ ...policyAgainst(version, now.version), refetchInterval: retryEvery });
  const rollBack = {
    label: `Roll back to v${version}`,
    run: (reason: string) => publishing.rollBack(version, reason),
  };
  return (
    <ChangesDialog
      {...{ publishing, onClose }}
      isAlert={isRollBack}
      title={isRollBack ? rollBack.label : `v${now.version} → v${version}`}
      description={
        isRollBack
          ? `Publishes the rules, tiers and mode of v${version} as v${nextVersion}. The history is kept.`
          : `Differences from v${now.version} (in force) to v${version}.`
      }
      action={isRollBack ? rollBack : undefined}
    >
      <ReadState
        read={against}
        name="the differences"
        skeleton={<Skeleton className="h-16 w-full" />}
        isCompact
      >
        {({ changes }) =>
          changes.length === 0 ? (
            <p className="text-cell text-text-2">No differences.</p>
          ) : (
            <ChangesList changes={changes} label={`Changes by v${version}`} />
          )
        }
      </ReadState>
    </ChangesDialog>
  );
}

interface Action {
  readonly label: string;
  /** True if it is in force. */
  readonly run: (reason: string) => Promise<boolean>;
  readonly hasShortcut?: boolean;
  /** What a failure leaves unchanged. */
  readonly kept?: string;
}

interface ChangesDialogProps {
  publishing: Publishing;
  title: string;
  description: string;
  /** Undefined to compare only. */
  action: Action | undefined;
  isAlert?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Changes of the policy, with the reason to put them in force. */
function ChangesDialog({ publishing, action, onClose, children, ...dialog }: ChangesDialogProps) {
  const { failure } = publishing;
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const isMissing = isTried && reason.trim() === "";
  const close = () => {
    publishing.forget();
    onClose();
  };
  const submit = async () => {
    setIsTried(true);
    if (reason.trim() !== "" && (await action?.run(reason))) close();
  };
  const submitByKey = (event: KeyboardEvent) => {
    if (!action?.hasShortcut || !isPressed("submit", event)) return;
    event.preventDefault();
    event.stopPropagation();
    void submit();
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      width={600}
      {...dialog}
      footer={
        <>
          <Button variant="ghost" size="lg" onClick={close}>
            {action ? "Cancel" : "Close"}
          </Button>
          {action && (
            <Button
              variant="primary"
              size="lg"
              kbd={action.hasShortcut ? kbdOf("submit") : undefined}
              isBusy={publishing.isBusy}
              onClick={() => void submit()}
            >
              {action.label}
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shortcut for the button below, from the field. */}
      <div onKeyDown={submitByKey} className="flex flex-col gap-4">
        {children}
        {action && (
          <Field
            label="Reason"
            hint="required"
            error={isMissing ? "Enter a reason. It is shown with the version." : undefined}
          >
            <Input
              value={reason}
              maxLength={500}
              aria-required
              onChange={({ target }) => setReason(target.value)}
            />
          </Field>
        )}
        {failure && (
          <Banner tone="blocked" title={failedTitle(failure, 0, "Nothing was published")}>
            {failure.message} {action?.kept}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
