import { Skeleton } from "../../../../../components/ui/skeleton.tsx";

/** In place of rows that are being read, or cannot be. */
export function ReadingRows({ problem }: { problem: string | undefined }) {
  if (problem) return <p className="px-3.5 pt-1 pb-4 text-cell text-text-2">{problem}</p>;
  return (
    <div aria-busy="true" className="flex flex-col gap-2 px-3.5 pt-1 pb-4">
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  );
}
