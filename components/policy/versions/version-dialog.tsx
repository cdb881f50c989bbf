"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failedTitle } from "@/components/console/failed-write.ts";
import { ReadState } from "@/components/console/read-state.tsx";
import { retryEvery } from "@/components/console/use-live.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { type PolicyVersion, policyAgainst } from "@/lib/queries/policy.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { ReasonField } from "../reason-field.tsx";
import { ChangesList } from "./changes-list.tsx";
import type { Publishing } from "./use-publish.tsx";

interface VersionDialogProps {
  editor: PolicyEditor;
  publishing: Publishing;
  version: PolicyVersion;
  isRollBack: boolean;
  onClose: () => void;
}

/** Compares a version with the one in force. Rolls back to it. */
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
  const against = useQuery({ ...policyAgainst(version, now.version), refetchInterval: retryEvery });
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
          ? `Publishes the rules, tiers and mode of v${version} as v${nextVersion}. The history is kept.`
          : `Differences from v${now.version} (in force) to v${version}.`
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
        <ReadState
          read={against}
          name="the differences"
          skeleton={<Skeleton className="h-16 w-full" />}
          isCompact
        >
          {({ changes }) => <Against changes={changes} version={version} />}
        </ReadState>
        {isRollBack && <ReasonField value={reason} onChange={setReason} isTried={isTried} />}
        {publishing.failure && (
          <Banner tone="blocked" title={failedTitle(publishing.failure, 0, "Nothing was published")}>
            {publishing.failure.message}
          </Banner>
        )}
      </div>
    </Dialog>
  );
}

function Against({ changes, version }: { changes: readonly string[]; version: number }) {
  if (changes.length === 0) return <p className="text-cell text-text-2">No differences.</p>;
  return <ChangesList changes={changes} label={`Changes by v${version}`} />;
}
