import type { Metadata } from "next";
import { may } from "../../../lib/auth/roles.ts";
import { requireSignedIn } from "../../_server/session.ts";
import { LiveProvider } from "../_live/use-live.tsx";
import { EdgeView } from "./_components/edge-view.tsx";

export const metadata: Metadata = { title: "Edge" };

/** Who is turned away before a request reaches the fleet, where, why and until when. */
export default async function EdgePage() {
  const { role } = await requireSignedIn();
  return (
    <LiveProvider>
      <EdgeView maySwitch={may(role, "edge")} mayLetIn={may(role, "clear-edge")} />
    </LiveProvider>
  );
}
