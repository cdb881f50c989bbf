"use client";

import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { AuditDetail, AuditRow } from "@/lib/queries/audit.ts";
import { Sentence } from "./feed/sentence.tsx";

const mostShown = 4;

interface WhatComesBackProps {
  readonly detail: AuditDetail | undefined;
  readonly row: AuditRow;
  readonly addresses: readonly string[] | undefined;
}

/** State after the undo, by target. */
export function WhatComesBack({ detail, row, addresses }: WhatComesBackProps) {
  if (!detail) return <Skeleton className="h-10 w-full" />;
  const chosen = addresses && new Set(addresses);
  const known = chosen ? detail.changes.filter(({ target }) => chosen.has(target)) : detail.changes;
  const shown = known.slice(0, mostShown);
  const rest = (addresses?.length ?? row.targets) - shown.length;
  return (
    <div className="text-cell text-text-2">
      <p>After the undo:</p>
      <ul className="my-1.5 flex flex-col gap-1">
        {shown.map(({ target, before }) => (
          <li key={target} className="wrap-anywhere">
            <Untrusted text={target} max={80} className="font-mono text-text" />
            {": "}
            <Sentence pieces={before} isPlain />
          </li>
        ))}
        {rest > 0 && <li>{`${shown.length > 0 ? "and " : ""}${counted(rest, "more", "more")}`}</li>}
      </ul>
      <p className="text-text-3">
        {row.bulk && !addresses
          ? "Entries that would have expired by now are not restored. Entries that were changed since then are not undone, and are listed afterwards."
          : "Entries that would have expired by now are not restored. If any of them was changed since then, nothing is undone, and the record of that change is shown."}
      </p>
    </div>
  );
}
