"use client";

import { Check, TriangleAlert } from "lucide-react";
import { ChangeProgress } from "../../../../components/change-progress.tsx";
import { useStanding } from "../../../../components/shell/status.tsx";
import { countText } from "../../../../components/ui/count-text.ts";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { groupsOf } from "./preview-groups.ts";
import { PreviewList } from "./preview-list.tsx";
import type { Composing, Written } from "./use-composer.ts";

/** What the lines would do, or have just done. */
export function PreviewPane({ list, composing }: { list: ListName; composing: Composing }) {
  const { draft, preview, failure, written, confirm, mend } = composing;
  const isEmpty = draft.text.trim() === "";
  return (
    <div className="flex h-full min-w-0 flex-col gap-2">
      <h2 className="text-cell font-normal text-text-2">Preview</h2>
      <div aria-live="polite" className="min-w-0">
        {written && <Outcome written={written} />}
        {failure && <Away message={failure.message} />}
        {!isEmpty && preview && (
          <PreviewList groups={groupsOf(list, preview)} onConfirm={confirm} onMend={mend} />
        )}
        {isEmpty && !written && <Promises list={list} />}
      </div>
    </div>
  );
}

/** Before anything is typed: what can be relied on. */
function Promises({ list }: { list: ListName }) {
  const { known } = useStanding();
  const own = known?.you.address;
  const promises =
    list === "blocklist"
      ? [
          "Each line is checked as you type. Nothing is written until you press the button.",
          "The safelist wins: whoever is on it cannot be blocked.",
          own
            ? `Your own address, ${own}, is skipped so that you keep access.`
            : "Your own address is skipped so that you keep access.",
        ]
      : [
          "Each line is checked as you type. Nothing is written until you press the button.",
          "The safelist wins over the blocklist and over every rule.",
          "Blocks inside a safelisted range stay on the blocklist, and do nothing.",
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
        <span className="block text-body font-semibold text-text">This cannot be checked now</span>
        {message} What you typed stays here, and is checked again by itself.
      </span>
    </p>
  );
}

function Outcome({ written: { title, total } }: { written: Written }) {
  const { failure, skipped, skippedCount, change, done } = total;
  return (
    <div className="flex gap-2.5 pb-2 text-cell text-text-2">
      {failure ? <TriangleAlert className="text-blocked" /> : <Check className="text-pass" />}
      <div className="min-w-0 flex-1">
        <p className="text-body font-semibold text-text">
          {failure ? (done > 0 ? `It stopped after ${countText(done)}` : "Nothing was written") : title}
        </p>
        {failure && <p>{failure.message}</p>}
        <ChangeProgress change={change} />
        {skipped.slice(0, 3).map(({ address, message }) => (
          <p key={address}>
            <Untrusted text={message} max={300} />
          </p>
        ))}
        {skippedCount > 3 && <p>{`and ${countText(skippedCount - 3)} more were left as they are`}</p>}
      </div>
    </div>
  );
}
