"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { Card } from "../../../components/ui/card.tsx";
import { EmptyState } from "../../../components/ui/empty-state.tsx";
import { LinkButton } from "../../../components/ui/link-button.tsx";
import { Timestamp } from "../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../components/ui/untrusted.tsx";
import { type AuditPage, type AuditRow, auditPage } from "../../../lib/queries/audit.ts";
import { RowIcon } from "../audit/_feed/row-icon.tsx";
import { Sentence } from "../audit/_feed/sentence.tsx";

const lookEveryMs = 5_000;
const mostShown = 10;

/** What was changed last, by whom, and why. */
export function LatestCard({ initial }: { initial: AuditPage }) {
  const { data, isError } = useQuery({
    ...auditPage({}),
    initialData: initial,
    refetchInterval: lookEveryMs,
  });
  const rows = data.rows.filter(isChange).slice(0, mostShown);
  return (
    <Card
      title="Latest changes"
      hint={isError ? "as last read" : undefined}
      actions={
        <LinkButton href="/audit" variant="ghost" size="sm">
          All of them
          <ChevronRight />
        </LinkButton>
      }
      isFlush
    >
      {rows.length > 0 ? (
        <ol className="border-t border-border">
          {rows.map((row) => (
            <LatestRow key={row.id} row={row} />
          ))}
        </ol>
      ) : (
        <EmptyState
          icon={<History />}
          title="Nothing was changed yet"
          hint="Whatever anybody changes goes on record, with who, when and why."
        />
      )}
    </Card>
  );
}

/** Who merely came in changed nothing; what is damaged is for the audit page. */
function isChange(row: AuditPage["rows"][number]): row is AuditRow {
  return row.look !== "damaged" && row.look !== "sign-in";
}

function LatestRow({ row }: { row: AuditRow }) {
  return (
    <li className="flex items-start gap-2.5 border-border px-3.5 py-1.5 text-cell not-last:border-b">
      <RowIcon row={row} />
      <div className="min-w-0 flex-1 pt-1">
        <p className="wrap-anywhere text-text-2">
          <Untrusted text={row.actor} max={60} className="font-medium text-text" />{" "}
          <Sentence pieces={row.says} />
        </p>
        {row.reason !== "" && (
          <p className="text-text-3">
            <Untrusted text={row.reason} max={160} />
          </p>
        )}
      </div>
      <Timestamp at={row.at} className="shrink-0 pt-1 text-meta text-text-3" />
    </li>
  );
}
