import type { Metadata } from "next";
import { may } from "../../lib/auth/roles.ts";
import { theConsole } from "../_server/console.ts";
import { requireSignedIn } from "../_server/session.ts";
import { readPage } from "../api/audit/read-page.ts";
import { Overview } from "./_components/overview.tsx";
import { LiveProvider } from "./_live/use-live.tsx";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { role } = await requireSignedIn();
  const latest = await readPage({ ...theConsole(), role }, {});
  return (
    <LiveProvider>
      <Overview latest={latest} mayChange={may(role, "lists")} />
    </LiveProvider>
  );
}
