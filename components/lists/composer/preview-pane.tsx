import { Check, TriangleAlert } from "lucide-react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { failedTitle } from "@/components/console/failed-write.ts";
import type { Total } from "@/components/console/in-steps.ts";
import { useStanding } from "@/components/console/status.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { groupsOf } from "./preview-groups.ts";
import { PreviewList } from "./preview-list.tsx";
import type { Composing } from "./use-composer.ts";

/** Preview of the lines, or the result of the last write. */
export function PreviewPane({ list, composing }: { list: ListName; composing: Composing }) {
  const { draft, preview, failure, written, confirm, correct } = composing;
  const isEmpty = draft.text.trim() === "";
  return (
    <div className="flex h-full min-w-0 flex-col gap-2">
      <h2 className="text-cell font-normal text-text-2">Preview</h2>
      <div aria-live="polite" className="min-w-0">
        {written && <Outcome {...written} most={3} className="pb-2" />}
        {failure && <Away message={failure.message} />}
        {!isEmpty && preview && (
          <PreviewList groups={groupsOf(list, preview)} onConfirm={confirm} onCorrect={correct} />
        )}
        {isEmpty && !written && <Promises list={list} />}
      </div>
    </div>
  );
}

/** Rules of the list, while the field is empty. */
function Promises({ list }: { list: ListName }) {
  const { known } = useStanding();
  const own = known?.you.address;
  const promises = [
    "Each line is checked as you type. Nothing is written until you press the button.",
    ...(list === "blocklist"
      ? [
          "The safelist wins: safelisted clients cannot be blocked.",
          own
            ? `Your own address, ${own}, is skipped so that you keep access.`
            : "Your own address is skipped so that you keep access.",
        ]
      : [
          "The safelist wins over the blocklist and over every rule.",
          "Blocks inside a safelisted range stay on the blocklist but have no effect.",
        ]),
  ];
  return (
    <ul className="flex flex-col gap-1 text-cell text-text-3">
      {promises.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Away({ message }: { message: string }) {
  return (
    <p role="alert" className="flex gap-2.5 pb-2 text-cell text-text-2">
      <TriangleAlert className="text-blocked" />
      <span>
        <span className="block text-body font-semibold text-text">Failed to check the lines</span>
        {message} What you typed is kept. The check retries automatically.
      </span>
    </p>
  );
}

interface OutcomeProps {
  readonly title: string;
  readonly total: Total;
  /** Number of skipped lines that are shown. */
  readonly most: number;
  readonly className?: string;
}

/** Result of a write: its progress on the nodes, and what was skipped. */
export function Outcome({ title, total, most, className }: OutcomeProps) {
  const { failure, skipped, skippedCount, change, done } = total;
  return (
    <div className={classes("flex gap-2.5 text-cell text-text-2", className)}>
      {failure ? <TriangleAlert className="text-blocked" /> : <Check className="text-pass" />}
      <div className="min-w-0 flex-1">
        <p className="text-body font-semibold text-text">
          {failure ? failedTitle(failure, done, "Nothing was written") : title}
        </p>
        {failure && <p>{failure.message}</p>}
        <ChangeProgress change={change} />
        {skipped.slice(0, most).map(({ address, message }) => (
          <p key={address}>
            <Untrusted text={message} max={300} />
          </p>
        ))}
        {skippedCount > most && <p>{`and ${countText(skippedCount - most)} more were skipped`}</p>}
      </div>
    </div>
  );
}
