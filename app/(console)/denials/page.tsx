import type { Metadata } from "next";
import { DenialLog } from "@/components/denials/denial-log.tsx";
import { denialsKey, readDenialsUrl, writeDenialsUrl } from "@/components/denials/denials-url.ts";
import { getDenials } from "@/lib/console/denials/denial-reads.ts";
import {
  firstOfPages,
  type PageSearch,
  Prefetched,
  pageRead,
  readPageSearch,
} from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { denials } from "@/lib/queries/denials.ts";

export const metadata: Metadata = { title: "Denials" };

/** The log of denied requests. */
export default async function DenialsPage({ searchParams }: { searchParams: PageSearch }) {
  await requireSignedIn();
  const url = readDenialsUrl(await readPageSearch(searchParams));
  const first = pageRead(denials(url), getDenials, {});
  return (
    <Prefetched reads={[firstOfPages(denialsKey(writeDenialsUrl(url)), first)]}>
      <DenialLog />
    </Prefetched>
  );
}
