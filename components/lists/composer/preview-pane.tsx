import { Check, TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { useEffect, useRef } from "react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { failedTitle } from "@/components/console/failed-write.ts";
import type { Total } from "@/components/console/in-steps.ts";
import { useStanding } from "@/components/console/status.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { isLeftOut } from "./typed-lines.ts";
import type { Composing } from "./use-composer.ts";
import type { CheckFailure } from "./use-preview.ts";

/** Loaded with the first preview: an empty field has no use for it. */
const PreviewList = dynamic(() => import("./preview-list.tsx").then((file) => file.PreviewList), {
  loading: () => null,
});

/** Preview of the lines, or the result of the last write. */
export function PreviewPane({ list, composing }: { list: ListName; composing: Composing }) {
  const { draft, preview, failure, written, confirm, correct, applySuggestions, replaced, setFilter } =
    composing;
  const isEmpty = draft.text.trim() === "";
  return (
    <div className="flex h-full min-w-0 flex-col gap-2">
      <h2 className="text-cell font-normal text-text-2">Preview</h2>
      <div aria-live="polite" className="min-w-0">
        {written && <Outcome {...written} most={3} className="pb-2" />}
        {failure && <CheckFailed {...failure} />}
        {replaced.count !== undefined && <UsedSuggestions count={replaced.count} onUndo={replaced.undo} />}
        {!isEmpty && preview && (
          <PreviewList
            list={list}
            preview={preview}
            leftOut={composing.lines.filter(isLeftOut).length}
            onConfirm={confirm}
            onChoose={composing.choose}
            chosen={composing.withCustomers}
            editing={{ correct, applySuggestions, show: setFilter }}
          />
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

/** The focus is on the button, because the button that was pressed is gone. */
function UsedSuggestions({ count, onUndo }: { count: number; onUndo: () => void }) {
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => buttonRef.current?.focus({ preventScroll: true }), []);
  return (
    <p className="flex flex-wrap items-center gap-2 pb-2 text-cell text-text-2">
      <Check className="text-pass" />
      {`${counted(count, "suggestion")} used.`}
      <Button ref={buttonRef} size="sm" onClick={onUndo} kbd="⌘Z">
        Undo
      </Button>
    </p>
  );
}

/** The lines could not be checked. A check that may succeed later is retried. */
function CheckFailed({ message, isPassing }: CheckFailure) {
  return (
    <p role="alert" className="flex gap-2.5 pb-2 text-cell text-text-2">
      <TriangleAlert className="text-blocked" />
      <span>
        <span className="block text-body font-semibold text-text">Failed to check the lines</span>
        {message} What you typed is kept. {isPassing && "The check retries automatically."}
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
