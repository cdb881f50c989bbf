"use client";

import { GitCompareArrows } from "lucide-react";
import { DraftBar } from "@/components/console/draft-page.tsx";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { Standing } from "./draft/draft.ts";
import type { PolicyEditor } from "./draft/use-policy.ts";

interface PublishBarProps {
  editor: PolicyEditor;
  onCompare: () => void;
  onPublish: () => void;
}

/** Unpublished changes and the button to publish them. Always visible. Notices have the corner beside it. */
export function PublishBar({ editor, onCompare, onPublish }: PublishBarProps) {
  const { standing, nextVersion, isOvertaken, discard } = editor;
  if (!standing.isEdited) return null;
  const [problem] = standing.problems;
  const why = sayWhyNot(standing, isOvertaken);
  return (
    <DraftBar
      status={sayUnsaved(standing)}
      note={
        problem ? (
          <span className="text-blocked">
            <Untrusted text={problem.path} max={80} className="font-mono" />:{" "}
            <Untrusted text={problem.message} max={160} />
          </span>
        ) : (
          "only in this tab, until you publish"
        )
      }
      onDiscard={discard}
      className="lg:pr-108"
    >
      {standing.changes.length > 0 && (
        <Button size="lg" icon={<GitCompareArrows />} onClick={onCompare}>
          Compare
        </Button>
      )}
      <Button variant="primary" size="lg" kbd={kbdOf("submit")} disabledReason={why} onClick={onPublish}>
        Publish v{nextVersion}
      </Button>
    </DraftBar>
  );
}

function sayUnsaved({ changes, problems, isLocked }: Standing): string {
  if (isLocked) return "Unsaved changes in the JSON view";
  if (problems.length > 0) return `Unsaved changes, ${counted(problems.length, "problem")}`;
  return counted(changes.length, "unsaved change");
}

function sayWhyNot({ problems }: Standing, isOvertaken: boolean): string | undefined {
  if (problems.length > 0) return "Fix the problems first";
  return isOvertaken ? "A newer version was published. Rebase your draft first" : undefined;
}
