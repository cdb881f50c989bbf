"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChangeProgress } from "../../../../components/change-progress.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { counted, countText } from "../../../../components/ui/count-text.ts";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { type AuditDetail, type AuditRow, auditDetail } from "../../../../lib/queries/audit.ts";
import { ChangesTable } from "./changes-table.tsx";

export interface DetailsProps {
  readonly id: string;
  readonly row: AuditRow;
  readonly undoneBy: number | undefined;
}

/** All that one record says: what stood before and after, how far the change got, whether it can be undone. */
export function Details({ id, row, undoneBy }: DetailsProps) {
  return (
    <section
      id={id}
      aria-label={`Record ${row.n}`}
      className="flex flex-col gap-2.5 border-t border-border bg-sunken px-3.5 py-3 sm:pl-12"
    >
      {row.targets > 0 && <Changes n={row.n} />}
      <p className="text-cell text-text-3">
        {`Record ${countText(row.n)}`}
        {row.change !== null && `, change ${countText(row.change)}`}
        {undoneBy !== undefined && `. Undone by record ${countText(undoneBy)}`}
        {row.noUndo !== null && undoneBy === undefined && (
          <>
            {". "}
            <Untrusted text={row.noUndo} max={300} />
          </>
        )}
      </p>
      {row.change !== null && <HowFar change={row.change} />}
    </section>
  );
}

function Changes({ n }: { n: number }) {
  const { data, error, isPending, refetch } = useQuery({
    ...auditDetail(n),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) {
    return (
      <div aria-busy="true" className="flex flex-col gap-2">
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-1/2" />
      </div>
    );
  }
  if (data) return data.diff ? <Diff diff={data.diff} /> : <ChangesTable changes={data.changes} />;
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-cell text-blocked">
      {error.message}
      <Button size="sm" onClick={() => void refetch()}>
        Try again
      </Button>
    </p>
  );
}

/** What changed of the policy, a sentence each: names and messages in it are foreign. */
function Diff({ diff }: { diff: NonNullable<AuditDetail["diff"]> }) {
  if (diff.length === 0) return <p className="text-cell text-text-2">Both versions say the same.</p>;
  return (
    <ul
      aria-label={counted(diff.length, "difference")}
      className="flex list-disc flex-col gap-0.5 pl-4 text-cell"
    >
      {diff.map((sentence) => (
        <li key={sentence}>
          <Untrusted text={sentence} max={600} />
        </li>
      ))}
    </ul>
  );
}

/** Nodes keep their word for an hour, and are asked when somebody wants to know. */
function HowFar({ change }: { change: number }) {
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <ChangeProgress change={change} />;
  return (
    <span>
      <Button size="sm" onClick={() => setIsAsked(true)}>
        How far did it get?
      </Button>
    </span>
  );
}
