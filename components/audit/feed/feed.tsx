import { ArrowUp, History, SearchX } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { useNow } from "@/components/ui/now.ts";
import { countText } from "@/components/ui/value-text.ts";
import type { AuditRow } from "@/lib/queries/audit.ts";
import { everything, type FilterProps, filterCount } from "../filters/audit-url.ts";
import { UndoDialog } from "../undo-dialog.tsx";
import { AuditItem, DamagedItem } from "./audit-item.tsx";
import { byDay, type Row, sayDay, type Undoing, undoneIn } from "./days.ts";
import { End, useFeed } from "./feed-pages.tsx";

/** The log, newest first, by days, as far as it was scrolled. */
export function Feed({ url, onChange }: FilterProps) {
  const { feed, read, newer, refresh } = useFeed(url);
  const [undoing, setUndoing] = useState<{ row: AuditRow; addresses?: readonly string[] | undefined }>();
  const askToUndo = useCallback<DaysProps["onUndo"]>((row, addresses) => setUndoing({ row, addresses }), []);
  const [justUndone, setJustUndone] = useState<number>();
  const pages = feed.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const isEmpty = rows.length === 0 && !feed.hasNextPage && !feed.isFetching;
  const undone = useMemo(() => undoneIn(pages ?? []), [pages]);
  return (
    <>
      {url.record !== "" && <FromRecord record={url.record} onShowNewest={() => onChange({})} />}
      {newer && newer.count > 0 && <NewRecords {...newer} onShow={refresh} />}
      <div className="min-w-0 rounded-card border border-border bg-surface pt-px" aria-busy={feed.isFetching}>
        <ReadState
          read={read}
          name="the audit log"
          skeleton={<RowsSkeleton rows={8} columns={[1, 10, 3]} rowHeight={52} />}
          empty={() => (isEmpty ? <Nothing url={url} onChange={onChange} /> : undefined)}
          isInset
        >
          {() => (
            <>
              <Days
                rows={rows}
                linked={Number(url.record)}
                undone={undone}
                justUndone={justUndone}
                onUndo={askToUndo}
                isOld={feed.isPlaceholderData}
              />
              <End feed={feed} />
            </>
          )}
        </ReadState>
      </div>
      {undoing && (
        <UndoDialog
          row={undoing.row}
          addresses={undoing.addresses}
          onClose={() => setUndoing(undefined)}
          onUndone={() => {
            setUndoing(undefined);
            setJustUndone(undoing.row.n);
            refresh();
          }}
        />
      )}
    </>
  );
}

interface DaysProps {
  readonly rows: readonly Row[];
  /** Number of the record that the page was opened for; 0 for none. */
  readonly linked: number;
  readonly undone: ReadonlyMap<number, Undoing>;
  readonly justUndone: number | undefined;
  readonly onUndo: (row: AuditRow, addresses?: readonly string[]) => void;
  /** Of what was looked for before. */
  readonly isOld: boolean;
}

function Days({ rows, linked, undone, justUndone, onUndo, isOld }: DaysProps) {
  const days = useMemo(() => byDay(rows), [rows]);
  return (
    <div className={classes("transition-opacity", isOld && "opacity-50")}>
      {days.map(({ day, rows: made }) => (
        <section key={`${day} ${made[0]?.id}`} className="border-border not-first:border-t">
          <DayHead day={day} />
          <ol>
            {made.map((row) =>
              row.look === "damaged" ? (
                <DamagedItem key={row.id} row={row} />
              ) : (
                <AuditItem
                  key={row.id}
                  row={row}
                  isLinked={row.n === linked}
                  undone={undone.get(row.n)}
                  takesFocus={row.n === justUndone && undone.has(row.n)}
                  onUndo={onUndo}
                />
              ),
            )}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** On its own, because the clock draws it again. */
function DayHead({ day }: { day: string }) {
  const now = useNow();
  return (
    <h2 suppressHydrationWarning className="px-3.5 pt-3 pb-1 text-meta font-medium text-text-3">
      {sayDay(day, now)}
    </h2>
  );
}

function FromRecord({ record, onShowNewest }: { record: string; onShowNewest: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-cell text-text-2">
      {`Record ${countText(Number(record))} and older records.`}
      <Button size="sm" icon={<ArrowUp />} onClick={onShowNewest}>
        Show newest
      </Button>
    </p>
  );
}

function NewRecords({ count, isMore, onShow }: { count: number; isMore: boolean; onShow: () => void }) {
  return (
    <div role="status" className="sticky top-16 z-20 -mb-3 flex h-0 justify-center overflow-visible">
      <Button
        size="sm"
        icon={<ArrowUp />}
        className="rounded-full shadow-e1"
        onClick={() => {
          onShow();
          window.scrollTo({ top: 0 });
        }}
      >
        {`${isMore ? `over ${count}` : count} new`}
      </Button>
    </div>
  );
}

function Nothing({ url, onChange }: FilterProps) {
  if (filterCount(url) === 0) {
    return (
      <EmptyState
        icon={<History />}
        title="No changes yet"
        hint="Every change is recorded here with its user, time, source and reason."
      />
    );
  }
  return (
    <EmptyState
      icon={<SearchX />}
      title="No record matches"
      hint="The whole log was searched."
      action={<Button onClick={() => onChange(everything)}>Clear filters</Button>}
    />
  );
}
