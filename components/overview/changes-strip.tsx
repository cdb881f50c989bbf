import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { RowIcon } from "@/components/audit/feed/row-icon.tsx";
import { RecordSentence, Sentence } from "@/components/audit/feed/sentence.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { classes } from "@/components/ui/classes.ts";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { useByNow } from "@/components/ui/now.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { minuteText, monthDayText, utcText } from "@/components/ui/value-text.ts";
import type { AuditPage, AuditRow } from "@/lib/queries/audit.ts";
import { latestChanges } from "./page-reads.ts";

const lookEveryMs = 5_000;
/** Narrow windows show fewer. */
const shown = ["", "max-md:hidden", "max-xl:hidden"];

/** The newest changes in one line. */
export function ChangesStrip() {
  const read = useQuery({ ...latestChanges(), refetchInterval: lookEveryMs });
  return (
    <section
      aria-label="Latest changes"
      className="flex min-h-8.5 items-center gap-3 border-t border-border px-3.5 text-cell"
    >
      <h3 className="shrink-0 text-text-2 max-sm:sr-only">Changes</h3>
      <div className="min-w-0 flex-1 [&>div]:py-1">
        <ReadState
          read={read}
          name="the latest changes"
          skeleton={<Skeleton className="h-3.5 w-3/5" />}
          empty={(page) => (latestOf(page).length > 0 ? undefined : <NoChanges page={page} />)}
          isCompact
        >
          {(page) => (
            <ol className="flex min-w-0 items-center">
              {latestOf(page).map((row, i) => (
                <Change key={row.id} row={row} className={shown[i]} />
              ))}
            </ol>
          )}
        </ReadState>
      </div>
      <LinkButton href="/audit" variant="ghost" size="sm" className="-mr-2">
        All changes
        <ChevronRight />
      </LinkButton>
    </section>
  );
}

const latestOf = ({ rows }: AuditPage) => rows.filter(isChange).slice(0, shown.length);

/** Leaves out sign-ins, which change nothing, and damaged records, which the audit page shows. */
function isChange(row: AuditPage["rows"][number]): row is AuditRow {
  return row.look !== "damaged" && row.look !== "sign-in";
}

/** No changes. Only the newest page of the log was read; older pages may have some. */
function NoChanges({ page: { next } }: { page: AuditPage }) {
  return (
    <p className="text-text-3">{next === null ? "No changes yet" : "No changes among the newest records"}</p>
  );
}

const dayMs = 86_400_000;

function Change({ row, className }: { row: AuditRow; className: string | undefined }) {
  const at = Date.parse(row.at);
  const isToday = useByNow((now) => Math.floor(now / dayMs) === Math.floor(at / dayMs));
  return (
    <li
      title={row.reason}
      className={classes(
        "flex min-w-0 shrink items-center gap-1.5 border-border not-first:ml-3 not-first:border-l not-first:pl-3",
        className,
      )}
    >
      <RowIcon row={row} />
      <time dateTime={row.at} title={utcText(at)} className="shrink-0 text-text-3">
        {isToday ? minuteText(at) : monthDayText(at)}
      </time>
      <p className="truncate text-text">
        {row.look === "refused" ? (
          <RecordSentence row={row} isPlain />
        ) : (
          <>
            <Sentence pieces={row.says} isPlain />{" "}
            <span className="text-text-3">
              by <Untrusted text={row.actor} max={40} />
            </span>
          </>
        )}
      </p>
    </li>
  );
}
