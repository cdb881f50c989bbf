"use client";

import { Check, GitCompareArrows, Undo2 } from "lucide-react";
import { useState } from "react";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, momentText } from "@/components/ui/value-text.ts";
import type { PolicyReply, PolicyVersion } from "@/lib/queries/policy.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import type { Publishing } from "./use-publish.tsx";

/** Fetched when it is opened. */
const VersionDialog = lazyDialog(() => import("./version-dialogs.tsx").then((file) => file.VersionDialog));

/** As high as the tiers beside them. */
const mostAtFirst = 4;

/** All versions of the policy. */
export function VersionsCard({ editor, publishing }: { editor: PolicyEditor; publishing: Publishing }) {
  const { now, standing, nextVersion, mayChange } = editor;
  const [opened, setOpened] = useState<{ version: number; isRollBack: boolean }>();
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? now.versions : now.versions.slice(0, mostAtFirst);
  const published = now.versions.filter(({ version }) => version > 0).length;
  return (
    <Card
      isFlush
      title="Versions"
      actions={<span className="text-cell text-text-3">{countText(published)} published</span>}
    >
      <ul aria-label="Versions">
        {standing.isEdited && (
          <li className="flex items-start gap-3 border-t border-border px-3.5 py-2.5 text-cell">
            <span className="w-8 shrink-0 text-text-3">v{nextVersion}</span>
            <span className="min-w-0 flex-1">
              <Changes changes={standing.changes} otherwise="not finished" />
              <span className="text-text-3">you, unsaved</span>
            </span>
            <Badge tone="plain">draft</Badge>
          </li>
        )}
        {shown.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            isInForce={version.version === now.version}
            ends={version.version === now.version ? now.ends : []}
            mayChange={mayChange}
            onOpen={(isRollBack) => setOpened({ version: version.version, isRollBack })}
          />
        ))}
      </ul>
      {shown.length < now.versions.length && (
        <div className="border-t border-border p-2 text-center">
          <Button variant="ghost" onClick={() => setIsAll(true)}>
            Show all {countText(now.versions.length)}
          </Button>
        </div>
      )}
      {opened && (
        <VersionDialog {...opened} {...{ editor, publishing }} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  );
}

interface VersionRowProps {
  version: PolicyVersion;
  isInForce: boolean;
  ends: PolicyReply["ends"];
  mayChange: boolean;
  onOpen: (isRollBack: boolean) => void;
}

function VersionRow({ version: one, isInForce, ends, mayChange, onOpen }: VersionRowProps) {
  const { version, by, at, reason, changes, problem } = one;
  const clock = useNow();
  return (
    <li className="flex items-start gap-3 border-t border-border px-3.5 py-2.5 text-cell">
      <span className={`w-8 shrink-0 ${isInForce ? "font-semibold" : "text-text-3"}`}>v{version}</span>
      <span className="min-w-0 flex-1">
        <Changes changes={changes} otherwise={problem ?? reason} />
        {changes.length > 0 && reason !== "" && (
          <span className="block text-text-2">
            “<Untrusted text={reason} max={140} />”
          </span>
        )}
        {(by !== undefined || at !== undefined) && (
          <span className="block text-text-3">
            {by !== undefined && <Untrusted text={by} max={60} />}
            {at !== undefined && (
              <>
                {by !== undefined && ", "}
                <Timestamp at={at} />
              </>
            )}
          </span>
        )}
        {ends.map(({ atMs, changes }) => (
          <span key={atMs} suppressHydrationWarning className="block text-text-2">
            Until {momentText(atMs, clock)} UTC, then: {changes.join("; ") || "no difference"}
          </span>
        ))}
      </span>
      {isInForce ? (
        <Badge tone="pass" icon={<Check />}>
          in force
        </Badge>
      ) : (
        problem === undefined && (
          <span className="flex shrink-0 items-center gap-1">
            <IconButton
              label={`Compare v${version} with the version in force`}
              icon={<GitCompareArrows />}
              onClick={() => onOpen(false)}
            />
            {mayChange && (
              <Button icon={<Undo2 />} aria-label={`Roll back to v${version}`} onClick={() => onOpen(true)}>
                <span className="max-sm:hidden">Roll back</span>
              </Button>
            )}
          </span>
        )
      )}
    </li>
  );
}

const mostChanges = 2;

function Changes({ changes, otherwise }: { changes: readonly string[]; otherwise: string }) {
  if (changes.length === 0) return <Untrusted text={otherwise} max={160} className="block" />;
  return (
    <>
      {changes.slice(0, mostChanges).map((sentence) => (
        <Untrusted key={sentence} text={sentence} max={140} className="block" />
      ))}
      {changes.length > mostChanges && (
        <span className="block text-text-3">and {changes.length - mostChanges} more</span>
      )}
    </>
  );
}
