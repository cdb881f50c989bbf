"use client";

import { type KeyboardEvent, useState } from "react";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { Dialog } from "../../../../components/ui/dialog.tsx";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import type { Publishing } from "../_draft/use-publish.tsx";
import { ChangesList } from "./changes-list.tsx";
import { ReasonField } from "./reason-field.tsx";

interface PublishDialogProps {
  editor: PolicyEditor;
  publishing: Publishing;
  isLookOnly: boolean;
  onClose: () => void;
}

/** What the draft changes, in words, and why. Mounted while it is open, so that each time it begins empty. */
export function PublishDialog({ editor, publishing, isLookOnly, onClose }: PublishDialogProps) {
  const { draft, standing, nextVersion } = editor;
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const close = () => {
    publishing.forget();
    onClose();
  };
  const publish = async () => {
    setIsTried(true);
    if (reason.trim() !== "" && (await publishing.publish(reason))) close();
  };
  const byKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || isLookOnly) return;
    event.preventDefault();
    event.stopPropagation();
    void publish();
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      width={600}
      title={isLookOnly ? `v${draft.basedOn} → v${nextVersion}` : `Publish v${nextVersion}`}
      description={
        isLookOnly
          ? "What the draft changes."
          : "It is in force on every node within a second, and in the audit log."
      }
      footer={
        <>
          <Button variant="ghost" size="lg" onClick={close}>
            {isLookOnly ? "Close" : "Cancel"}
          </Button>
          {!isLookOnly && (
            <Button
              variant="primary"
              size="lg"
              kbd="⌘↵"
              isBusy={publishing.isBusy}
              onClick={() => void publish()}
            >
              Publish v{nextVersion}
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of the button below, from the field. */}
      <div onKeyDown={byKey} className="flex flex-col gap-4">
        <ChangesList changes={standing.changes} label={`Changes of v${draft.basedOn}`} />
        {!isLookOnly && <ReasonField value={reason} onChange={setReason} isTried={isTried} />}
        {publishing.problem && (
          <Banner tone="blocked" title="Nothing was published. Your draft is kept">
            {publishing.problem}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
