"use client";

import { counted } from "../../../../components/ui/count-text.ts";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { AuditDetail } from "../../../../lib/queries/audit.ts";
import { Sentence } from "../_feed/sentence.tsx";

const mostShown = 4;

/** What stands after the undo, target by target. */
export function WhatComesBack({ detail }: { detail: AuditDetail | undefined }) {
  if (!detail) return <Skeleton className="h-10 w-full" />;
  const { changes } = detail;
  const rest = changes.length - mostShown;
  return (
    <div className="text-cell text-text-2">
      <p>This is how it will stand again:</p>
      <ul className="my-1.5 flex flex-col gap-1">
        {changes.slice(0, mostShown).map(({ target, before }) => (
          <li key={target} className="wrap-anywhere">
            <Untrusted text={target} max={80} className="font-mono text-text" />
            {": "}
            <Sentence pieces={before} isPlain />
          </li>
        ))}
        {rest > 0 && <li>{`and ${counted(rest, "more", "more")}`}</li>}
      </ul>
      <p className="text-text-3">
        What would have ended meanwhile stays away. If anything of it was changed since, nothing is undone and
        you are told by whom.
      </p>
    </div>
  );
}
