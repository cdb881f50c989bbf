import { Skeleton } from "@/components/ui/skeleton.tsx";

interface RowsSkeletonProps {
  rows: number;
  /** Widths of the columns, as shares of the row. */
  columns?: readonly number[];
  /** Height of a loaded row, in px. */
  rowHeight?: number;
  /** Whether a line replaces the table's head. */
  hasHead?: boolean;
}

/** Placeholder rows, as many and as high as the rows that follow. */
export function RowsSkeleton({
  rows,
  columns = [3, 2, 3, 1, 2],
  rowHeight = 32,
  hasHead = false,
}: RowsSkeletonProps) {
  const lines = Array.from({ length: rows + (hasHead ? 1 : 0) }, (_, i) => i);
  return (
    <div className="px-3">
      {lines.map((line) => (
        <div
          key={line}
          style={{ height: rowHeight }}
          className="flex items-center gap-6 border-border not-last:border-b"
        >
          {columns.map((share, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places.
            <span key={i} style={{ flexGrow: share, flexBasis: 0 }}>
              <Skeleton className={hasHead && line === 0 ? "h-2.5 w-2/5" : "h-3.5 w-3/4"} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}
