import type { Metadata } from "next";
import { requireSignedIn } from "../../_server/session.ts";
import { ListScreen } from "../_lists/list-screen.tsx";

export const metadata: Metadata = { title: "Blocklist" };

/** Who is answered with 403, everywhere. */
export default async function Blocklist() {
  const { role } = await requireSignedIn();
  return <ListScreen key="blocklist" list="blocklist" role={role} />;
}
