"use client";

import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { counted } from "../../../../components/ui/count-text.ts";
import type { AuditDetail } from "../../../../lib/queries/audit.ts";
import { Sentence } from "./sentence.tsx";
import { TargetLink } from "./target-link.tsx";

const mostShown = 10;

/** What stood at each target before, and what stands there since. */
export function ChangesTable({ changes }: Pick<AuditDetail, "changes">) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, mostShown);
  const rest = changes.length - shown.length;
  return (
    <>
      <ul className="flex flex-col gap-1 text-cell">
        {shown.map(({ target, before, after }) => (
          <li
            key={target}
            className="grid min-h-6 content-center gap-x-3 sm:grid-cols-[minmax(8rem,14rem)_minmax(0,1fr)]"
          >
            <span className="min-w-0">
              <TargetLink target={target} isMono />
            </span>
            <span className="min-w-0 text-text-2 wrap-anywhere">
              <span className="text-text-3">
                <Sentence pieces={before} isPlain />
              </span>
              <ArrowRight aria-label="then" className="mx-1.5 inline size-3 text-text-3" />
              <Sentence pieces={after} isPlain />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <span>
          <Button size="sm" onClick={() => setIsWhole(true)}>
            {`Show ${counted(rest, "more", "more")}`}
          </Button>
        </span>
      )}
    </>
  );
}
