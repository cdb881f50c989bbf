import type { Metadata } from "next";
import { Account } from "@/components/settings/account.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { readUser } from "@/lib/console/stored-users.ts";

export const metadata: Metadata = { title: "Your account" };

export default async function AccountPage() {
  const { email, role } = await requireSignedIn();
  return <Account email={email} role={role} user={await readUser(email)} />;
}
