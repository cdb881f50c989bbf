import { useQuery } from "@tanstack/react-query";
import { ChevronRight, History } from "lucide-react";
import { RowIcon } from "@/components/audit/feed/row-icon.tsx";
import { Sentence } from "@/components/audit/feed/sentence.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { AuditPage, AuditRow } from "@/lib/queries/audit.ts";
import { latestChanges } from "./page-reads.ts";

const lookEveryMs = 5_000;
const mostShown = 10;

/** Latest changes, with their users and reasons. */
export function LatestCard() {
  const read = useQuery({ ...latestChanges(), refetchInterval: lookEveryMs });
  return (
    <Card
      title="Latest changes"
      actions={
        <LinkButton href="/audit" variant="ghost" size="sm">
          All changes
          <ChevronRight />
        </LinkButton>
      }
      isFlush
    >
      <ReadState
        read={read}
        name="the latest changes"
        skeleton={<RowsSkeleton rows={5} columns={[1, 8, 2]} rowHeight={40} />}
        empty={(page) => (latestOf(page).length > 0 ? undefined : <NoChanges page={page} />)}
        isInset
      >
        {(page) => (
          <ol className="border-t border-border">
            {latestOf(page).map((row) => (
              <LatestRow key={row.id} row={row} />
            ))}
          </ol>
        )}
      </ReadState>
    </Card>
  );
}

const latestOf = ({ rows }: AuditPage) => rows.filter(isChange).slice(0, mostShown);

/** No changes. Only the newest page of the log was read; older pages may have some. */
function NoChanges({ page: { next } }: { page: AuditPage }) {
  return (
    <EmptyState
      icon={<History />}
      title={next === null ? "No changes yet" : "No changes among the newest records"}
      hint="Every change is recorded with its user, time and reason."
    />
  );
}

/** Leaves out sign-ins, which change nothing, and damaged records, which the audit page shows. */
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
