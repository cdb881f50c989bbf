import type { Metadata } from "next";
import { requireSignedIn } from "../../_server/session.ts";
import { ListScreen } from "../_lists/list-screen.tsx";

export const metadata: Metadata = { title: "Safelist" };

/** Who always passes, whatever else says no. */
export default async function Safelist() {
  const { role } = await requireSignedIn();
  return <ListScreen key="safelist" list="safelist" role={role} />;
}
