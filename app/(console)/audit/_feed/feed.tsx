"use client";

import { ArrowUp, History, SearchX } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { classes } from "../../../../components/ui/classes.ts";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { useNow } from "../../../../components/ui/now.ts";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import type { AuditRow } from "../../../../lib/queries/audit.ts";
import { type AuditUrl, everything, filterCount } from "../_filters/audit-url.ts";
import type { ChangeUrl } from "../_filters/use-audit-url.ts";
import { UndoDialog } from "../_undo/undo-dialog.tsx";
import { AuditItem } from "./audit-item.tsx";
import { DamagedItem } from "./damaged-item.tsx";
import { byDay, type Row, sayDay, undoneIn } from "./days.ts";
import { End } from "./end.tsx";
import { ReadTrouble } from "./read-trouble.tsx";
import { type FirstPage, useFeed } from "./use-feed.ts";

export interface FeedProps {
  readonly url: AuditUrl;
  readonly onChange: ChangeUrl;
  readonly first: FirstPage | undefined;
}

/** The log, newest first, by days, as far as it was scrolled. */
export function Feed({ url, onChange, first }: FeedProps) {
  const { feed, newer, refresh } = useFeed(url, first);
  const [undoing, setUndoing] = useState<AuditRow>();
  const [justUndone, setJustUndone] = useState<number>();
  const pages = feed.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const undone = useMemo(() => undoneIn(pages ?? []), [pages]);
  return (
    <>
      {newer && newer.count > 0 && <NewRecords {...newer} onShow={refresh} />}
      {feed.error && <ReadTrouble error={feed.error} readAt={pages && feed.dataUpdatedAt} />}
      <div className="min-w-0 rounded-card border border-border bg-surface" aria-busy={feed.isFetching}>
        {pages ? (
          <>
            <Days
              rows={rows}
              undone={undone}
              justUndone={justUndone}
              onUndo={setUndoing}
              isOld={feed.isPlaceholderData}
            />
            {rows.length === 0 && !feed.hasNextPage && !feed.isFetching && (
              <Nothing url={url} onChange={onChange} />
            )}
            <End feed={feed} />
          </>
        ) : (
          <Waiting />
        )}
      </div>
      {undoing && (
        <UndoDialog
          row={undoing}
          onClose={() => setUndoing(undefined)}
          onUndone={() => {
            setUndoing(undefined);
            setJustUndone(undoing.n);
            refresh();
          }}
        />
      )}
    </>
  );
}

interface DaysProps {
  readonly rows: readonly Row[];
  readonly undone: ReadonlyMap<number, number>;
  readonly justUndone: number | undefined;
  readonly onUndo: (row: AuditRow) => void;
  /** Of what was looked for before. */
  readonly isOld: boolean;
}

function Days({ rows, undone, justUndone, onUndo, isOld }: DaysProps) {
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
                  undoneBy={undone.get(row.n)}
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

/** By itself, because the clock draws it anew. */
function DayHead({ day }: { day: string }) {
  const now = useNow();
  return (
    <h2 suppressHydrationWarning className="px-3.5 pt-3 pb-1 text-meta font-medium text-text-3">
      {sayDay(day, now)}
    </h2>
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

function Nothing({ url, onChange }: Pick<FeedProps, "url" | "onChange">) {
  if (filterCount(url) === 0) {
    return (
      <EmptyState
        icon={<History />}
        title="Nothing was changed yet"
        hint="Whatever anybody changes goes on record here: who, when, from where and why."
      />
    );
  }
  return (
    <EmptyState
      icon={<SearchX />}
      title="No record matches"
      hint="The whole log was searched for what the filters say."
      action={<Button onClick={() => onChange(everything)}>Clear the filters</Button>}
    />
  );
}

function Waiting() {
  return (
    <div className="flex flex-col gap-3 p-3.5">
      {["w-2/3", "w-1/2", "w-3/5", "w-2/5", "w-3/4"].map((width) => (
        <Skeleton key={width} className={`h-6 ${width}`} />
      ))}
    </div>
  );
}
