import type { Metadata } from "next";
import { AuditLog } from "@/components/audit/audit-log.tsx";
import { filterAt, firstCursor, readAuditUrl, writeAuditUrl } from "@/components/audit/filters/audit-url.ts";
import { getAuditPage } from "@/lib/console/audit/read-page.ts";
import {
  firstOfPages,
  type PageSearch,
  Prefetched,
  pageRead,
  readPageSearch,
} from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { auditPage, feedKey } from "@/lib/queries/audit.ts";

export const metadata: Metadata = { title: "Audit" };

export default async function AuditPage({ searchParams }: { searchParams: PageSearch }) {
  await requireSignedIn();
  const url = readAuditUrl(await readPageSearch(searchParams));
  const cursor = firstCursor(url);
  const first = pageRead(auditPage(filterAt(url, Date.now()), cursor), getAuditPage, {});
  return (
    <Prefetched reads={[firstOfPages(feedKey(writeAuditUrl(url)), first, cursor)]}>
      <AuditLog />
    </Prefetched>
  );
}
