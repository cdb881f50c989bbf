import type { Metadata } from "next";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { EdgeView } from "@/components/edge/edge-view.tsx";
import { limitedRead, readSearch } from "@/components/edge/limited-read.ts";
import { getEdge, getLimitedClients } from "@/lib/console/edge/edge-reads.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { edge } from "@/lib/queries/edge.ts";

export const metadata: Metadata = { title: "Edge" };

/** Clients that are denied at the edge: where, why and until when. */
export default async function EdgePage({ searchParams }: { searchParams: PageSearch }) {
  const { role } = await requireSignedIn();
  const limited = limitedRead(readSearch(await readPageSearch(searchParams)));
  return (
    <Prefetched reads={[pageRead(edge(), getEdge, {}), pageRead(limited, getLimitedClients, {})]}>
      <LiveProvider>
        <EdgeView maySwitch={may(role, "edge")} mayLetIn={may(role, "clear-edge")} />
      </LiveProvider>
    </Prefetched>
  );
}
