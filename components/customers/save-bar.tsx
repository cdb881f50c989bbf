"use client";

import { DraftBar } from "@/components/console/draft-page.tsx";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { counted } from "@/components/ui/value-text.ts";
import { changesIn } from "./draft/draft.ts";
import { type Problems, sayApply } from "./draft/save.ts";
import type { Editor } from "./draft/use-editor.ts";
import type { Saving } from "./draft/use-save.ts";
import { sayVerdict, type Verdict } from "./verdict/verdict.ts";

interface SaveBarProps {
  editor: Editor;
  saving: Saving;
  problems: Problems;
  /** Verdict of the next request after a save. Undefined while unknown. */
  verdict: Verdict | undefined;
}

/** Unsaved changes, with the save button. */
export function SaveBar({ editor, saving, problems, verdict }: SaveBarProps) {
  const { base, draft, isEdited, discard } = editor;
  const now = useNow();
  const changes = changesIn(draft, base);
  if (!isEdited || (changes.count === 0 && draft.reason === "")) return null;
  const giveUp = () => {
    discard();
    saving.forget();
  };
  const missing = saving.isTried ? Object.values(problems)[0] : undefined;
  const problem = saving.problem ?? (missing && `${missing}.`);
  return (
    <DraftBar
      status={counted(changes.count, "unsaved change")}
      note={
        <>
          {problem ? (
            <span role="alert" className="text-blocked">
              {problem}
            </span>
          ) : (
            "takes effect on all nodes within 1 s"
          )}
          {verdict && (
            <span className="block sm:hidden">Next request: {sayVerdict(verdict).toLowerCase()}</span>
          )}
        </>
      }
      onDiscard={giveUp}
    >
      <Button
        variant="primary"
        size="lg"
        kbd={kbdOf("submit")}
        isBusy={saving.isBusy}
        disabled={changes.count === 0}
        onClick={() => void saving.save()}
        className="max-w-full"
      >
        <span suppressHydrationWarning className="min-w-0 truncate">
          {sayApply(draft, base, now)}
        </span>
      </Button>
    </DraftBar>
  );
}
