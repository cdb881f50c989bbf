"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { Dialog } from "../../../../components/ui/dialog.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { type PolicyVersion, policyAgainst } from "../../../../lib/queries/policy.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import type { Publishing } from "../_draft/use-publish.tsx";
import { ChangesList } from "./changes-list.tsx";
import { ReasonField } from "./reason-field.tsx";

interface VersionDialogProps {
  editor: PolicyEditor;
  publishing: Publishing;
  version: PolicyVersion;
  isRollBack: boolean;
  onClose: () => void;
}

/** A version beside the one in force; and the way back to it. */
export function VersionDialog({
  editor,
  publishing,
  version: { version },
  isRollBack,
  onClose,
}: VersionDialogProps) {
  const { now, nextVersion } = editor;
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const { data, error } = useQuery({
    ...policyAgainst(version, now.version),
    networkMode: "always",
    retry: false,
  });
  const close = () => {
    publishing.forget();
    onClose();
  };
  const rollBack = async () => {
    setIsTried(true);
    if (reason.trim() !== "" && (await publishing.rollBack(version, reason))) close();
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      isAlert={isRollBack}
      width={600}
      title={isRollBack ? `Roll back to v${version}` : `v${now.version} → v${version}`}
      description={
        isRollBack
          ? `What v${version} said, rules, tiers and mode, is published as v${nextVersion}. Nothing of the history goes.`
          : `What v${version} says otherwise than v${now.version}, which is in force.`
      }
      footer={
        <>
          <Button variant="ghost" size="lg" onClick={close}>
            {isRollBack ? "Cancel" : "Close"}
          </Button>
          {isRollBack && (
            <Button variant="primary" size="lg" isBusy={publishing.isBusy} onClick={() => void rollBack()}>
              Roll back to v{version}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {data ? (
          <Against changes={data.changes} version={version} />
        ) : error ? (
          <p role="alert" className="text-cell text-blocked">
            {error.message}
          </p>
        ) : (
          <Skeleton className="h-16 w-full" />
        )}
        {isRollBack && <ReasonField value={reason} onChange={setReason} isTried={isTried} />}
        {publishing.problem && (
          <Banner tone="blocked" title="Nothing was published">
            {publishing.problem}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

function Against({ changes, version }: { changes: readonly string[]; version: number }) {
  if (changes.length === 0) return <p className="text-cell text-text-2">Both say the same.</p>;
  return <ChangesList changes={changes} label={`Changes by v${version}`} />;
}
