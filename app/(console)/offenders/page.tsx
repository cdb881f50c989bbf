import type { Metadata } from "next";
import { may } from "../../../lib/auth/roles.ts";
import { requireSignedIn } from "../../_server/session.ts";
import { LiveProvider } from "../_live/use-live.tsx";
import { Offenders } from "./_components/offenders.tsx";

export const metadata: Metadata = { title: "Offenders" };

export default async function OffendersPage() {
  const { role } = await requireSignedIn();
  return (
    <LiveProvider>
      <Offenders mayChange={may(role, "lists")} />
    </LiveProvider>
  );
}
