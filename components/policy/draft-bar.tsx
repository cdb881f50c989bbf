"use client";

import { GitCompareArrows } from "lucide-react";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { Standing } from "./draft/draft.ts";
import type { PolicyEditor } from "./draft/use-policy.ts";

interface DraftBarProps {
  editor: PolicyEditor;
  onCompare: () => void;
  onPublish: () => void;
}

/** Unpublished changes and the button to publish them. Always visible. Notices have the corner beside it. */
export function DraftBar({ editor, onCompare, onPublish }: DraftBarProps) {
  const { standing, nextVersion, isOvertaken, discard } = editor;
  if (!standing.isEdited) return null;
  const [problem] = standing.problems;
  const why = sayWhyNot(standing, isOvertaken);
  return (
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-0 z-20 -mx-5 mt-auto -mb-5 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t border-border bg-nav px-5 py-2.5 lg:pr-108 max-sm:bottom-14 max-sm:-mx-4 max-sm:mb-0 max-sm:px-4"
    >
      <p className="min-w-0 flex-1 basis-60 text-cell text-text-2">
        <span role="status" className="mr-2 font-semibold text-text">
          {sayUnsaved(standing)}
        </span>
        {problem ? (
          <span className="text-blocked">
            <Untrusted text={problem.path} max={80} className="font-mono" />:{" "}
            <Untrusted text={problem.message} max={160} />
          </span>
        ) : (
          "only in this tab, until you publish"
        )}
      </p>
      <Button variant="ghost" size="lg" onClick={discard}>
        Discard
      </Button>
      {standing.changes.length > 0 && (
        <Button size="lg" icon={<GitCompareArrows />} onClick={onCompare}>
          Compare
        </Button>
      )}
      <Button variant="primary" size="lg" kbd={kbdOf("submit")} disabledReason={why} onClick={onPublish}>
        Publish v{nextVersion}
      </Button>
    </section>
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
