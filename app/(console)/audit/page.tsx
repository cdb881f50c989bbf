import type { Metadata } from "next";
import { theConsole } from "../../_server/console.ts";
import { requireSignedIn } from "../../_server/session.ts";
import { readPage } from "../../api/audit/read-page.ts";
import { filterOf, filterSearch } from "../../api/audit/search.ts";
import { AuditLog } from "./_feed/audit-log.tsx";
import { filterAt, readAuditUrl, writeAuditUrl } from "./_filters/audit-url.ts";

export const metadata: Metadata = { title: "Audit" };

type Search = Promise<Record<string, string | string[] | undefined>>;

export default async function AuditPage({ searchParams }: { searchParams: Search }) {
  const { role } = await requireSignedIn();
  const said = Object.entries(await searchParams).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const url = readAuditUrl(new URLSearchParams(said));
  const filter = filterOf(filterSearch.parse(filterAt(url, Date.now())));
  // What cannot be read now the browser asks for again, and tells why.
  const page = await readPage({ ...theConsole(), role }, filter).catch(() => undefined);
  return <AuditLog first={page && { search: writeAuditUrl(url), page }} />;
}
