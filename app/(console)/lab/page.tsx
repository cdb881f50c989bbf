import type { Metadata } from "next";
import { Lab } from "@/components/lab/lab.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { may } from "@/lib/manage/users/roles.ts";

export const metadata: Metadata = { title: "Lab" };

export default async function LabPage() {
  const { role } = await requireSignedIn();
  return <Lab mayWriteRules={may(role, "policy")} />;
}
