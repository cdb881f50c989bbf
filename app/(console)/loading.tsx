import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";

const rows = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Placeholder of a page while it loads. */
export default function PageLoading() {
  return (
    <>
      <PageHeader title={<Skeleton className="h-5 w-32" />} />
      <Card>
        <p role="status" className="sr-only">
          Loading
        </p>
        <div aria-busy="true" className="flex flex-col gap-3">
          {rows.map((row) => (
            <Skeleton key={row} />
          ))}
        </div>
      </Card>
    </>
  );
}
