import type { Metadata } from "next";
import { ListScreen } from "@/components/lists/list-screen.tsx";
import { readListUrl, windowRead } from "@/components/lists/list-url.ts";
import { getEntries } from "@/lib/console/lists/list-reads.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";

export const metadata: Metadata = { title: "Safelist" };

/** Addresses that always pass. */
export default async function Safelist({ searchParams }: { searchParams: PageSearch }) {
  const { role } = await requireSignedIn();
  const list = "safelist";
  const rows = windowRead(list, readListUrl(await readPageSearch(searchParams)), 0);
  return (
    <Prefetched reads={[pageRead(rows, getEntries, { list })]}>
      <ListScreen key={list} list={list} role={role} />
    </Prefetched>
  );
}
