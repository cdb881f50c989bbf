"use client";

import { type KeyboardEvent, useState } from "react";
import { failedTitle } from "@/components/console/failed-write.ts";
import { isPressed, kbdOf } from "@/components/console/shortcuts.ts";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { ReasonField } from "../reason-field.tsx";
import { ChangesList } from "./changes-list.tsx";
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
    if (!isPressed("submit", event) || isLookOnly) return;
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
          ? "Changes of the draft."
          : "It is in force on every node within 1 s, and is recorded in the audit log."
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
              kbd={kbdOf("submit")}
              isBusy={publishing.isBusy}
              onClick={() => void publish()}
            >
              Publish v{nextVersion}
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: shortcut for the button below, from the field. */}
      <div onKeyDown={byKey} className="flex flex-col gap-4">
        <ChangesList changes={standing.changes} label={`Changes of v${draft.basedOn}`} />
        {!isLookOnly && <ReasonField value={reason} onChange={setReason} isTried={isTried} />}
        {publishing.failure && (
          <Banner tone="blocked" title={failedTitle(publishing.failure, 0, "Nothing was published")}>
            {publishing.failure.message} Your draft is kept.
          </Banner>
        )}
      </div>
    </Dialog>
  );
}
