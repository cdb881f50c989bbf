import type { Metadata } from "next";
import { may } from "../../../lib/auth/roles.ts";
import { requireSignedIn } from "../../_server/session.ts";
import { Lab } from "./_components/lab.tsx";

export const metadata: Metadata = { title: "Lab" };

export default async function LabPage() {
  const { role } = await requireSignedIn();
  return <Lab mayWriteRules={may(role, "policy")} />;
}
