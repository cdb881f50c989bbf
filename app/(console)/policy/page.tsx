import type { Metadata } from "next";
import { may, rolesThatMay } from "../../../lib/auth/roles.ts";
import { requireSignedIn } from "../../_server/session.ts";
import { PolicyView } from "./_components/policy-view.tsx";

export const metadata: Metadata = { title: "Policy" };

/** What is counted, how much of it is let through, and how it became so. */
export default async function PolicyPage() {
  const { role } = await requireSignedIn();
  return <PolicyView mayChange={may(role, "policy")} whoMay={rolesThatMay("policy")} />;
}
