"use client";

import { kbdOf } from "@/components/console/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { useNow } from "@/components/ui/now.ts";
import { changesIn } from "./draft/changes.ts";
import type { Problems } from "./draft/save.ts";
import { sayApply, sayUnsaved } from "./draft/save-words.ts";
import type { Editor } from "./draft/use-editor.ts";
import type { Saving } from "./draft/use-save.ts";
import type { Verdict } from "./verdict/verdict.ts";
import { sayVerdict } from "./verdict/verdict-words.tsx";

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
    <section
      aria-label="Unsaved changes"
      className="sticky bottom-0 z-20 -mx-5 mt-auto -mb-5 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-t border-border bg-nav px-5 py-2.5 max-sm:bottom-14 max-sm:-mx-4 max-sm:mb-0 max-sm:px-4"
    >
      <p className="min-w-0 flex-1 basis-60 text-cell text-text-2">
        <span role="status" className="mr-2 font-semibold text-text">
          {sayUnsaved(changes)}
        </span>
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
      </p>
      <Button variant="ghost" size="lg" onClick={giveUp}>
        Discard
      </Button>
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
    </section>
  );
}
