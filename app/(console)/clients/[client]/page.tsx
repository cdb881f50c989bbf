import type { Metadata } from "next";
import { may } from "../../../../lib/auth/roles.ts";
import { parseAddress } from "../../../../lib/ip/parse.ts";
import { requireSignedIn } from "../../../_server/session.ts";
import { LiveProvider } from "../../_live/use-live.tsx";
import { ClientPage } from "../_components/client-page.tsx";
import { NoClient } from "../_components/no-client.tsx";

export const metadata: Metadata = { title: "Client" };

export default async function Page({ params }: { params: Promise<{ client: string }> }) {
  const { role, address } = await requireSignedIn();
  const text = decodeURIComponent((await params).client.replace(/%(?![\da-f]{2})/gi, "%25"));
  const client = parseAddress(text);
  if (!client.ok) return <NoClient text={text} reason={client.reason} />;
  return (
    <LiveProvider>
      <ClientPage
        client={client.value}
        mayChange={may(role, "lists")}
        mayForever={may(role, "lists-forever")}
        isYou={client.value === address}
      />
    </LiveProvider>
  );
}
