import type { Metadata } from "next";
import { ClientPage, NoClient } from "@/components/client/client-page.tsx";
import { clientMarkers } from "@/components/client/page-reads.ts";
import { readLiveView } from "@/components/console/live-view.ts";
import { LiveProvider } from "@/components/console/use-live.tsx";
import { clientOfPath, getClient, getClientListings } from "@/lib/console/clients/client-reads.ts";
import { getLinks, getNotes } from "@/lib/console/clients/note-reads.ts";
import { type PageSearch, Prefetched, pageRead, readPageSearch } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { getMarkers } from "@/lib/console/stats/stats-reads.ts";
import { may } from "@/lib/manage/users/roles.ts";
import { clientDetail, clientListings } from "@/lib/queries/client.ts";
import { links } from "@/lib/queries/links.ts";
import { notes } from "@/lib/queries/notes.ts";

export const metadata: Metadata = { title: "Client" };

interface ClientPageProps {
  params: Promise<{ client: string }>;
  searchParams: PageSearch;
}

export default async function Page({ params, searchParams }: ClientPageProps) {
  const { role, address } = await requireSignedIn();
  const { text, client } = clientOfPath((await params).client);
  if (!client.ok) return <NoClient text={text} reason={client.reason} />;
  const { app } = readLiveView(await readPageSearch(searchParams));
  const named = { client: client.value };
  const reads = [
    pageRead(clientDetail(client.value, { app }), getClient, named),
    pageRead(clientListings(client.value), getClientListings, named),
    pageRead(links(), getLinks, {}),
    pageRead(notes({ kind: "client", id: client.value }), getNotes, { kind: "client", id: client.value }),
    pageRead(clientMarkers(client.value), getMarkers, {}),
  ];
  return (
    <Prefetched reads={reads}>
      <LiveProvider>
        <ClientPage
          client={client.value}
          mayChange={may(role, "lists")}
          mayNote={may(role, "client-notes")}
          mayForever={may(role, "lists-forever")}
          isYou={client.value === address}
        />
      </LiveProvider>
    </Prefetched>
  );
}
